// Each reading of the gaps that affect replacing: scope, order, nothing found, a taken title, unknown spaces and pages.
import { expect } from 'chai';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const id = 'spaces.replace-in-page';
const query = { spaceKey: 'ds', pageTitle: 'a b a' };
const on = teamWith({ pages: { '7': { space: 'ds', title: 'a b a', body: 'a b c a b c' } } });
const page = (asked: ReturnType<typeof ask>) => {
  const { title, body } = asked.form.pages['7'] ?? {};
  return [title, body];
};

describe('gap replace-scope', () => {
  const json = [{ oldText: 'a', newText: 'x' }];

  it('replace-scope=all: every occurrence, in body and title', () => {
    const asked = ask(id, { on, query, json });
    expect(page(asked)).to.deep.equal(['x b x', 'x b c x b c']);
    expect(asked.gaps).to.deep.equal({ 'replace-scope': 'all', 'wiki-success': 'object' });
  });

  it('replace-scope=first: the first in the body and the first in the title', () => {
    const asked = ask(id, { on, query, json, readings: { 'replace-scope': 'first' } });
    expect(page(asked)).to.deep.equal(['x b a', 'x b c a b c']);
    expect(asked.gaps).to.deep.equal({ 'replace-scope': 'first', 'wiki-success': 'object' });
  });

  for (const reading of ['all', 'first'] as const) {
    it(`replace-scope=${reading}: is not named if there is at most one place in each`, () => {
      for (const oldText of ['b c a', 'zz']) {
        const asked = ask(id, { on, query, json: [{ oldText, newText: '-' }], readings: { 'replace-scope': reading } });
        expect(asked.gaps).not.to.have.property('replace-scope');
      }
    });
  }
});

describe('gap replace-target', () => {
  const body = '<p>a &amp; b</p><p title="a">a &lt;b&gt;</p>';
  const marked = teamWith({ pages: { '7': { space: 'ds', title: 'a b a', body } } });
  const replace = (oldText: string, newText: string, readings: SomeReadings = {}) =>
    ask(id, { on: marked, query, json: [{ oldText, newText }], readings });
  const visible = { 'replace-target': 'visible-text' } as const;

  it('replace-target=markup: in the stored body, tags and entities included', () => {
    const asked = replace('p', 'div');
    expect(page(asked)[1]).to.equal('<div>a &amdiv; b</div><div title="a">a &lt;b&gt;</div>');
    expect(asked.gaps['replace-target']).to.equal('markup');
  });

  it('replace-target=visible-text: between tags, with entities decoded, and the new text is encoded', () => {
    expect(page(replace('a', '<&', visible))).to.deep.equal([
      '<& b <&',
      '<p>&lt;&amp; &amp; b</p><p title="a">&lt;&amp; &lt;b&gt;</p>',
    ]);
    expect(page(replace('& b', '-', visible))[1]).to.equal('<p>a -</p><p title="a">a &lt;b&gt;</p>');
    expect(page(replace('<b>', 'b', visible))[1]).to.equal('<p>a &amp; b</p><p title="a">a b</p>');
    const none = replace('p', 'div', { ...visible, 'replace-not-found': '404' });
    expect([none.refused, none.gaps['replace-target']]).to.deep.equal(['replace-not-found', 'visible-text']);
  });

  it('replace-target=visible-text: the first place is the first of all texts, in either order', () => {
    const list = [
      { oldText: 'b', newText: 'c' },
      { oldText: 'a ', newText: 'b' },
    ];
    for (const [order, changed] of [
      ['sequential', '<p>b&amp; c</p><p title="a">a &lt;b&gt;</p>'],
      ['simultaneous', '<p>b&amp; c</p><p title="a">a &lt;b&gt;</p>'],
    ] as const) {
      const readings = { ...visible, 'replace-order': order, 'replace-scope': 'first' } as const;
      expect(page(ask(id, { on: marked, query, json: list, readings }))[1]).to.equal(changed);
    }
  });

  it('replace-target: is not named if it makes no difference', () => {
    for (const reading of ['markup', 'visible-text'] as const) {
      const readings = { 'replace-target': reading } as const;
      expect(replace(' b', '-', readings).gaps).not.to.have.property('replace-target');
      const json = [{ oldText: 'b', newText: '<' }];
      const inTitle = ask(id, { on: marked, query, json: [{ oldText: 'b a', newText: '<' }], readings });
      expect(inTitle.gaps).not.to.have.property('replace-target');
      expect(ask(id, { on, query, json, readings }).gaps['replace-target']).to.equal(reading);
    }
  });
});

describe('gap replace-order', () => {
  const swap = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'b', newText: 'a' },
  ];

  it('replace-order=sequential: each element works on the result of the previous one', () => {
    const asked = ask(id, { on, query, json: swap });
    expect(page(asked)).to.deep.equal(['a a a', 'a a c a a c']);
    expect(asked.gaps).to.include({ 'replace-order': 'sequential' });
  });

  it('replace-order=simultaneous: all elements search the original text', () => {
    const asked = ask(id, { on, query, json: swap, readings: { 'replace-order': 'simultaneous' } });
    expect(page(asked)).to.deep.equal(['b a b', 'b a c b a c']);
    expect(asked.gaps).to.include({ 'replace-order': 'simultaneous' });
  });

  it('replace-order=simultaneous: with replace-scope=first, each element replaces its first place in the original text', () => {
    const readings = { 'replace-order': 'simultaneous', 'replace-scope': 'first' } as const;
    expect(page(ask(id, { on, query, json: swap, readings }))).to.deep.equal(['b a a', 'b a c a b c']);
  });

  it('replace-order=simultaneous: of two matches the earlier place wins, then the earlier element', () => {
    const readings = { 'replace-order': 'simultaneous' } as const;
    const overlap = [
      { oldText: 'b c', newText: '2' },
      { oldText: 'a b', newText: '1' },
    ];
    expect(page(ask(id, { on, query, json: overlap, readings }))).to.deep.equal(['1 a', '1 c 1 c']);
    expect(page(ask(id, { on, query, json: overlap }))).to.deep.equal(['1 a', 'a 2 a 2']);
  });

  for (const reading of ['sequential', 'simultaneous'] as const) {
    it(`replace-order=${reading}: is not named if the order makes no difference`, () => {
      const readings = { 'replace-order': reading };
      const apart = [
        { oldText: 'a', newText: '1' },
        { oldText: 'c', newText: '2' },
      ];
      for (const json of [apart, swap.slice(1), []]) {
        expect(ask(id, { on, query, json, readings }).gaps).not.to.have.property('replace-order');
      }
    });
  }
});

describe('gap replace-not-found', () => {
  it('replace-not-found=404, replace-order=simultaneous: every pair looks for its text in the original', () => {
    const overlapping = [
      { oldText: 'wiki', newText: 'a' },
      { oldText: 'ki', newText: 'b' },
    ];
    const readings = { 'replace-not-found': '404', 'replace-order': 'simultaneous' } as const;
    const asked = ask(id, { query: { spaceKey: 'ds', pageTitle: 'Welcome' }, json: overlapping, readings });
    expect(asked.status).to.equal(200);
    expect(asked.form.pages['65601']?.body).to.equal('<p>Hello, a.</p>');
  });

  const json = [
    { oldText: 'b', newText: 'B' },
    { oldText: 'zz', newText: 'y' },
  ];

  it('replace-not-found=ok: the rest is replaced, without an error', () => {
    const asked = ask(id, { on, query, json });
    expect(page(asked)).to.deep.equal(['a B a', 'a B c a B c']);
    expect(asked.gaps).to.include({ 'replace-not-found': 'ok' });
    expectDone(ask(id, { on, query, json: json.slice(1) }), []);
  });

  it('replace-not-found=404: refused, and nothing is replaced', () => {
    expectRefused(ask(id, { on, query, json, readings: { 'replace-not-found': '404' } }), {
      status: 404,
      code: 'replace-not-found',
      message: '/1/oldText "zz" occurs neither in the body nor in the title.',
      gaps: { 'replace-not-found': '404' },
      on,
    });
  });

  it('replace-not-found=404: a match in body or title is enough', () => {
    const readings = { 'replace-not-found': '404' } as const;
    const inOne = [
      { oldText: 'c', newText: 'C' },
      { oldText: 'b a', newText: '!' },
    ];
    const asked = ask(id, { on, query, json: inOne, readings });
    expect(page(asked)).to.deep.equal(['a !', 'a b C a b C']);
    expect(asked.gaps).not.to.have.property('replace-not-found');
  });

  it('replace-not-found=404: text made by an earlier element is found in sequence only', () => {
    const chain = [
      { oldText: 'c', newText: 'z' },
      { oldText: 'z', newText: 'y' },
    ];
    const readings = { 'replace-not-found': '404' } as const;
    expect(page(ask(id, { on, query, json: chain, readings }))[1]).to.equal('a b y a b y');
    const simultaneous = ask(id, {
      on,
      query,
      json: chain,
      readings: { ...readings, 'replace-order': 'simultaneous' },
    });
    expect(simultaneous.refused).to.equal('replace-not-found');
    expect(simultaneous.gaps).to.include({ 'replace-order': 'simultaneous', 'replace-not-found': '404' });
  });
});

describe('gap replace-title-clash', () => {
  const json = [{ oldText: 'a b a', newText: 'Welcome' }];

  for (const status of [409, 400] as const) {
    it(`replace-title-clash=${status}: refused, and the body is unchanged`, () => {
      const world = teamWith({ pages: { '7': { space: 'ds', title: 'a b a', body: 'a b a' } } });
      expectRefused(ask(id, { on: world, query, json, readings: { 'replace-title-clash': `${status}` } }), {
        status,
        code: 'replace-title-clash',
        message: 'The space "ds" has another page with the title "Welcome".',
        gaps: { 'replace-title-clash': `${status}` },
        on: world,
      });
    });
  }

  it('replace-title-clash=allow: two pages have the title, and it means the first in order', () => {
    const asked = ask(id, { on, query, json, readings: { 'replace-title-clash': 'allow' } });
    expect(page(asked)).to.deep.equal(['Welcome', 'a b c a b c']);
    expect(asked.gaps).to.deep.equal({ 'replace-title-clash': 'allow', 'wiki-success': 'object' });
    const next = ask(id, {
      on: asked.world,
      query: { spaceKey: 'ds', pageTitle: 'Welcome' },
      json: [{ oldText: 'Hello', newText: 'Bye' }],
    });
    expect(next.form.pages['65601']?.body).to.equal('<p>Bye, wiki.</p>');
    expect(next.form.pages['7']?.version).to.equal(2);
  });

  it('replace-title-clash: is not named if the title stays, changes to a free one, or is taken in another space', () => {
    for (const [oldText, newText] of [
      ['c', 'd'],
      ['a b a', 'Other'],
      ['a b a', 'Template Home'],
      ['a b a', 'welcome'],
    ]) {
      const asked = ask(id, { on, query, json: [{ oldText, newText }] });
      expect(asked.status).to.equal(200);
      expect(asked.gaps).not.to.have.property('replace-title-clash');
    }
  });
});

describe('gaps unknown-space and unknown-page, on replacing', () => {
  const json = [{ oldText: 'a', newText: 'b' }];
  for (const status of [404, 400] as const) {
    it(`unknown-space=${status}: checked before the page`, () => {
      const asked = ask(id, {
        query: { spaceKey: 'DS', pageTitle: 'Welcome' },
        json,
        readings: { 'unknown-space': `${status}` },
      });
      expectRefused(asked, {
        status,
        code: 'unknown-space',
        message: 'There is no space with the key "DS".',
        gaps: { 'name-case': 'exact', 'unknown-space': `${status}` },
      });
    });

    it(`unknown-page=${status}: a title in another case is unknown`, () => {
      const asked = ask(id, {
        query: { spaceKey: 'ds', pageTitle: 'welcome' },
        json,
        readings: { 'unknown-page': `${status}` },
      });
      expectRefused(asked, {
        status,
        code: 'unknown-page',
        message: 'There is no page with the title "welcome" in the space "ds".',
        gaps: { 'unknown-page': `${status}` },
      });
    });
  }
});

// Replacing text in a page: its rules, its limits, and texts that are no patterns. Its effect: tests/model.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const id = 'spaces.replace-in-page';
const query = { spaceKey: 'tmpl', pageTitle: 'Template Home' };

describe('spaces.replace-in-page', () => {
  it('spaces.replace-title: the text is replaced in the title, and the page is found by its new one', () => {
    const asked = ask(id, { query, json: ['NAME', 'Template'].map(oldText => ({ oldText, newText: 'Apollo' })) });
    expect(asked.rules).to.include.members(['spaces.replace-list', 'spaces.replace-body', 'spaces.replace-title']);
    expect(asked.facts).to.have.lengthOf(1);
    const json = [{ oldText: 'NAME', newText: 'x' }];
    expect(ask(id, { on: asked.world, query, json }).refused).to.equal('unknown-page');
    expect(ask(id, { on: asked.world, query: { ...query, pageTitle: 'Apollo Home' }, json }).status).to.equal(200);
  });

  it('a request that changes nothing is no edit: no fact, and no rule about a replacement', () => {
    for (const json of [[], [{ oldText: 'NOWHERE', newText: 'x' }], [{ oldText: 'NAME', newText: 'NAME' }]]) {
      const asked = ask(id, { query, json });
      expectDone(asked, []);
      expect(asked.rules).not.to.include.oneOf(['spaces.replace-body', 'spaces.replace-title']);
    }
  });

  it('a list that would grow without end is refused with 413, and the page stays', () => {
    const json = Array.from({ length: 200 }, () => ({ oldText: 'N', newText: 'NN' }));
    expectRefused(ask(id, { query, json }), {
      status: 413,
      code: 'too-much-at-once',
      message: /more text than this fake accepts/,
      gaps: { 'replace-scope': 'all', 'replace-order': 'sequential' },
    });
  });

  it('a list too long for a text is refused with 413, unless a limit of lists refuses it before', () => {
    const on = teamWith({ pages: { '7': { space: 'ds', title: 'Long', body: 'a'.repeat(2 ** 20) } } });
    const json = Array.from({ length: 1024 }, (_, i) => ({ oldText: `b${i}`, newText: '' }));
    expectRefused(ask(id, { on, query: { spaceKey: 'ds', pageTitle: 'Long' }, json }), {
      status: 413,
      code: 'too-much-at-once',
      message: /more text than this fake accepts/,
      gaps: { 'list-limit': 'none' },
      on,
    });
  });

  it('finds a page and its texts literally', () => {
    for (const text of ['$&', '.*', '\\', 'e\u0301', 'a\r\nb', '<ac:link/>', '__proto__']) {
      const on = teamWith({ pages: { '7': { space: 'ds', title: `T ${text}`, body: `[${text}]` } } });
      const json = [{ oldText: text, newText: '-' }];
      const { pages } = ask(id, { on, query: { spaceKey: 'ds', pageTitle: `T ${text}` }, json }).form;
      expect(pages['7'], JSON.stringify(text)).to.include({ title: 'T -', body: '[-]', version: 2 });
    }
  });
});

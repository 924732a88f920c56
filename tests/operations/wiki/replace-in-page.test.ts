// Replacing text in a page: body and title together or not at all, one edit for each request that changes something.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { PageForm } from '../../../server/domain/form/form-shapes.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const id = 'spaces.replace-in-page';
const now = '2026-03-04T05:06:07Z';
const query = { spaceKey: 'tmpl', pageTitle: 'Template Home' };
const place = ['address.no-context-path', 'address.extension-path', 'address.json-bodies'];
const before = formOf(smallTeam);

function withPage(change: Partial<PageForm>) {
  return { ...before, pages: { ...before.pages, '65701': { ...before.pages['65701'], ...change } } };
}

describe('spaces.replace-in-page', () => {
  it('spaces.replace-body: the text is replaced in the body, and nothing else changes but the editor and the date', () => {
    const asked = ask(id, { query, now, as: 'carol', json: [{ oldText: 'NAME', newText: 'Apollo' }] });
    const edit = { title: 'Template Home', body: '<p>Project Apollo starts here. Apollo!</p>', by: 'carol', at: now };
    expectDone(asked, [{ type: 'page-text-replaced', page: '65701', ...edit }]);
    expect(asked.rules).to.deep.equal([...place, 'spaces.replace-list', 'spaces.replace-body']);
    expect(asked.form).to.deep.equal(withPage({ body: edit.body, version: 2, updatedBy: 'carol', updated: now }));
  });

  it('spaces.replace-title: the text is replaced in the title, and the page is found by its new one', () => {
    const asked = ask(id, { query, now, json: [{ oldText: 'Template', newText: 'Apollo' }] });
    expect(asked.rules).to.deep.equal([...place, 'spaces.replace-list', 'spaces.replace-title']);
    expect(asked.form).to.deep.equal(withPage({ title: 'Apollo Home', version: 2, updatedBy: 'admin', updated: now }));
    const json = [{ oldText: 'NAME', newText: 'x' }];
    expect(ask(id, { on: asked.world, query, json }).refused).to.equal('unknown-page');
    expect(ask(id, { on: asked.world, query: { ...query, pageTitle: 'Apollo Home' }, json }).status).to.equal(200);
  });

  it('spaces.replace-list: body and title by one list, in one edit', () => {
    const json = ['NAME', 'Template'].map(oldText => ({ oldText, newText: 'Apollo' }));
    const asked = ask(id, { query, now, json });
    expect(asked.rules).to.deep.equal([...place, 'spaces.replace-list', 'spaces.replace-body', 'spaces.replace-title']);
    expect(asked.facts).to.have.lengthOf(1);
    const body = '<p>Project Apollo starts here. Apollo!</p>';
    expect(asked.form.pages['65701']).to.include({ title: 'Apollo Home', body, version: 2 });
  });

  it('a request that changes nothing is no edit: no fact, no version, no date', () => {
    for (const json of [[], [{ oldText: 'NOWHERE', newText: 'x' }], [{ oldText: 'NAME', newText: 'NAME' }]]) {
      const asked = ask(id, { query, now, json });
      expectDone(asked, []);
      expect(asked.form).to.deep.equal(before);
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

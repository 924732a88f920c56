// The sidebar of a space: links are added in the order of the requests; and requests with a taken label.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';
import { refuses } from '../gaps/gap-tests.js';

const id = 'spaces.add-sidebar-link';
const json = { spaceKey: 'ds', label: 'Handbook', url: 'https://example.com/handbook' };
const before = formOf(smallTeam);
const links = [
  { label: 'Handbook', url: 'https://example.com/old' },
  { label: 'News', url: 'https://example.com/news' },
  { label: 'Handbook', url: 'https://example.com/older' },
];
const on = teamWith({ spaces: { ds: { name: 'Demonstration Space', admins: ['admin'], sidebar: links } } });

describe('spaces.add-sidebar-link', () => {
  it('spaces.sidebar-link: a link is added to the sidebar of the space, and nothing else changes', () => {
    const asked = ask(id, { json });
    expectDone(asked, [
      { type: 'sidebar-link-added', space: 'ds', label: 'Handbook', url: 'https://example.com/handbook' },
    ]);
    expect(asked.rules).to.deep.equal([
      'address.no-context-path',
      'address.extension-path',
      'address.json-bodies',
      'spaces.sidebar-link',
    ]);
    expect(asked.gaps).to.deep.equal({ 'wiki-success': 'object' });
    const space = { ...before.spaces.ds, sidebar: [{ label: 'Handbook', url: 'https://example.com/handbook' }] };
    expect(asked.form).to.deep.equal({ ...before, spaces: { ...before.spaces, ds: space } });
  });

  it('spaces.sidebar-link: label and url are text, and any text', () => {
    const asked = ask(id, { json: { spaceKey: 'ds', label: '', url: 'not a url <script>' } });
    expect(asked.form.spaces.ds?.sidebar).to.deep.equal([{ label: '', url: 'not a url <script>' }]);
    expectRefused(ask(id, { json: { ...json, label: null, url: 7 } }), {
      status: 400,
      code: 'body-shape',
      message: '/label must be a string, not null; /url must be a string, not 7.',
      rules: ['spaces.sidebar-link'],
      gaps: { 'null-field': '400', 'field-type': '400' },
    });
  });
});

describe('gap sidebar-duplicate', () => {
  it('sidebar-duplicate=append: two links have the label', () => {
    expect(ask(id, { on, json }).form.spaces.ds?.sidebar).to.deep.equal([
      ...links,
      { label: 'Handbook', url: json.url },
    ]);
  });

  it('sidebar-duplicate=replace: the new one replaces the first and every other with that label', () => {
    const asked = ask(id, { on, json, readings: { 'sidebar-duplicate': 'replace' } });
    expectDone(asked, [{ type: 'sidebar-link-replaced', space: 'ds', label: 'Handbook', url: json.url }]);
    expect(asked.form.spaces.ds?.sidebar).to.deep.equal([{ label: 'Handbook', url: json.url }, links[1]]);
  });

  refuses({ 'sidebar-duplicate': '409' }, id, {
    on,
    json,
  });

  for (const reading of ['append', 'replace', '409'] as const)
    for (const other of [{ label: 'Other' }, { label: 'handbook' }, { spaceKey: 'tmpl' }])
      it(`sidebar-duplicate=${reading}: adds a link with ${JSON.stringify(other)}`, () => {
        const readings = { 'sidebar-duplicate': reading };
        const asked = ask(id, { on, json: { ...json, ...other }, readings });
        expect(asked.facts).to.have.nested.property('[0].type', 'sidebar-link-added');
      });
});

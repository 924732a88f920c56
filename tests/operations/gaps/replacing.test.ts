// The gaps about replacing text in a page: what is not found and where, titles that clash, and markup. Other effects of their readings:
// scenarios/gaps and tests/model; order and scope: wiki/replace.test.ts.
import { expect } from 'chai';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';
import { refuses } from './gap-tests.js';

const id = 'spaces.replace-in-page';
const inWelcome = { query: { spaceKey: 'ds', pageTitle: 'Welcome' } };
const pairs = (...list: [oldText: string, newText: string][]) =>
  list.map(([oldText, newText]) => ({ oldText, newText }));
const long = 'x'.repeat(256);

describe('what a reading replaces', () => {
  const query = { spaceKey: 'ds', pageTitle: 'a b a' };
  const withBody = (body: string) => teamWith({ pages: { '7': { space: 'ds', title: 'a b a', body } } });
  const marked = '<p>a &amp; b</p><p title="a">a &lt;b&gt;</p>';
  const missing = pairs(['b', 'B'], ['zz', 'y']);
  const chain = pairs(['c', 'z'], ['z', 'y']);
  const strict = { 'replace-not-found': '404' } as const;
  const simultaneous = { 'replace-order': 'simultaneous' } as const;
  const first = { 'replace-scope': 'first' } as const;
  const visible = { 'replace-target': 'visible-text' } as const;

  type Row = [readings: SomeReadings, json: ReturnType<typeof pairs>, title: string, body: string];
  const rows: readonly Row[] = [
    [{ ...strict, ...simultaneous }, pairs(['a b c', '1'], ['b c', '2']), 'a b a', '1 1'],
    [{ 'replaced-title': 'allow' }, pairs(['a b a', '']), '', 'a b c a b c'],
    [{ 'old-text-empty': 'ignored', ...strict }, pairs(['', 'x'], ['c', 'C']), 'a b a', 'a b C a b C'],
  ];
  const last = '<p title="a">a &lt;b&gt;</p>';
  const inMarkup: readonly Row[] = [
    [{ 'replace-target': 'markup' }, pairs(['p', 'q']), 'a b a', marked.replaceAll('p', 'q')],
    [visible, pairs(['a', '<&']), '<& b <&', '<p>&lt;&amp; &amp; b</p><p title="a">&lt;&amp; &lt;b&gt;</p>'],
    [visible, pairs(['& b', '-']), 'a b a', `<p>a -</p>${last}`],
    [{ ...visible, ...first }, pairs(['b', 'c'], ['a ', 'b']), 'bc a', `<p>b&amp; c</p>${last}`],
    [{ ...visible, ...first, ...simultaneous }, pairs(['b', 'c'], ['a ', 'b']), 'bc a', `<p>b&amp; c</p>${last}`],
  ];
  it('is in the title and the body, or in its visible text', () => {
    for (const [on, cases] of [
      [withBody('a b c a b c'), rows],
      [withBody(marked), inMarkup],
    ] as const)
      for (const [readings, json, title, body] of cases)
        expect(ask(id, { on, query, json, readings }).form.pages['7']).to.include({ title, body });
  });

  const on = withBody('a b c a b c');
  for (const [readings, json, at, text, asked = on] of [
    [strict, missing, 1, 'zz'],
    [{ ...strict, ...simultaneous }, chain, 1, 'z'],
    [{ ...strict, ...visible }, pairs(['p', 'q']), 0, 'p', withBody(marked)],
    [{ ...strict, 'old-text-empty': 'ignored' }, pairs(['', 'x'], ['zz', '']), 1, 'zz'],
  ] as const)
    refuses(readings, id, {
      on: asked,
      query,
      json,
      code: 'replace-not-found',
      message: new RegExp(`/${at}/.*"${text}"`),
    });
  for (const status of ['409', '400'] as const)
    refuses({ 'replace-title-clash': status }, id, {
      on,
      query,
      json: pairs(['a b a', 'Welcome'], ['b', 'c']),
      message: /"ds".*"Welcome"/,
    });
  for (const newText of ['', long])
    refuses({ 'replaced-title': '400' }, id, {
      on,
      query,
      json: pairs(['a b a', newText]),
      message: new RegExp(`\\b${newText.length}\\b.*\\b255\\b`),
    });
  refuses({ 'old-text-empty': '400' }, id, {
    on,
    query,
    json: pairs(['', 'x'], ['a', 'b'], ['', 'x']),
    rules: ['spaces.replace-list'],
    message: /^\/0\/oldText.*; \/2\/oldText/,
  });

  it('replaced-title=400: a title of 255 characters is accepted', () => {
    expect(ask(id, { ...inWelcome, json: pairs(['Welcome', long.slice(1)]) }).status).to.equal(200);
  });

  it('replace-title-clash: does not decide about a title that is free, or taken in another space', () => {
    for (const title of ['Other', 'Template Home', 'welcome']) {
      const asked = ask(id, { on, query, json: pairs(['a b a', title]) });
      expect(asked.form.pages['7']?.title).to.equal(title);
      expect(asked.gaps).not.to.have.property('replace-title-clash');
    }
  });
});

describe('gap page-title-case', () => {
  const on = teamWith({ pages: { '65602': { space: 'ds', title: 'Guide' } } });
  const become = (newText: string) => ({ ...inWelcome, on, json: pairs(['Welcome', newText]) });
  const ignored = { 'page-title-case': 'ignored' } as const;

  it('page-title-case=exact: the title of another page in another case is free', () => {
    expect(ask(id, become('GUIDE')).form.pages['65601']?.title).to.equal('GUIDE');
  });

  refuses(ignored, id, {
    ...become('GUIDE'),
    status: 409,
    code: 'replace-title-clash',
    message: /"ds".*"GUIDE"/,
    gaps: { ...ignored, 'replace-title-clash': '409' },
  });

  it('page-title-case=ignored: replace-title-clash decides, and the own title is free', () => {
    const allow = { ...ignored, 'replace-title-clash': 'allow' } as const;
    expect(ask(id, { ...become('GUIDE'), readings: allow }).status).to.equal(200);
    expect(ask(id, { ...become('WELCOME'), readings: ignored }).form.pages['65601']?.title).to.equal('WELCOME');
  });
});

describe('gap replace-permission', () => {
  const carols = { users: ['carol'], groups: [] };
  const closed = (lists: object) => teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', ...lists } } });

  it('replace-permission: a page that others may edit is closed, and one that others may view is not there', () => {
    for (const [lists, as, ...statuses] of [
      [{ edit: carols }, 'admin', 200, 404, 403],
      [{ edit: carols }, null, 200, 404, 403],
      [{ edit: carols }, 'carol', 200, 200, 200],
      [{ edit: { groups: ['jira-core-users'] } }, 'alice', 200, 200, 200],
      [{ view: carols }, 'alice', 200, 404, 404],
      [{ view: carols }, 'admin', 200, 200, 200],
      [{ edit: carols, view: carols }, 'alice', 200, 404, 404],
    ] as const) {
      const under = (['ignored', 'enforced', '403'] as const).map(reading => {
        const readings = { 'replace-permission': reading };
        return ask(id, { ...inWelcome, on: closed(lists), as, json: [], readings }).status;
      });
      expect(under, `${as} ${JSON.stringify(lists)}`).to.deep.equal(statuses);
    }
  });

  refuses({ 'replace-permission': '403' }, id, {
    ...inWelcome,
    on: closed({ edit: carols }),
    as: 'alice',
    json: [],
    code: 'page-not-editable',
    gaps: { 'replace-permission': '403', 'wiki-auth': 'open' },
  });
});

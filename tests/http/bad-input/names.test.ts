// Names of every kind: they stay names, unknown ones are shown as text, and none of them breaks into a header or a second line.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { serving } from '../../support/wire/server.js';
import { ask, entriesOf, freshSandbox, type Got, refuses, worldOf } from './wire.js';

const NFC = '\u00e9';
const NFD = 'e\u0301';
const names: Readonly<Record<string, string>> = {
  'with a space': 'team members',
  'with a space at the end': 'team-members ',
  'in another case': 'Team-Members',
  'with a slash': 'a/b',
  'with a percent sign': '100%zz',
  composed: `caf${NFC}`,
  decomposed: `caf${NFD}`,
  'an emoji of many parts': '👩‍👩‍👧‍👦',
  'from right to left': '\u202Etxet',
  'a zero byte': 'a\0b',
  'CR and LF': 'a\r\nX-Injected: yes\r\n\r\nHTTP/1.1 200 OK',
  'control characters': '\u0001\u001b[31m\u007f\u0085\u2028',
  'half a surrogate pair': '\ud83d',
  'quotes and backslashes': '"\\"',
  markup: '<script>alert(1)</script>',
  'a placeholder': '{{name}} %s $& $1 #{x}',
  empty: '',
  dots: '..',
  'a comma': 'a, b=c',
};
/** A name as messages show it. */
const shown = (name: string) => JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}...` : name);

function expectPlainHeaders(got: Got): void {
  for (const [name, value] of got.headers) expect(`${name}: ${value}`).to.match(/^[\x20-\x7e]*$/);
  expect([...got.headers.keys()]).not.to.include('x-injected');
}

describe('names', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const [what, name] of Object.entries({
    ...names,
    'of 10,000 characters': 'x'.repeat(10_000),
    'of 10,000 emoji': '😀'.repeat(10_000),
  })) {
    it(`in every place, unknown: ${what}`, async () => {
      const unknown = (kind: 'user' | 'group') =>
        ({ status: 404, code: `unknown-${kind}`, message: `There is no ${kind} named ${shown(name)}.` }) as const;
      expectPlainHeaders(
        await refuses(server, { body: JSON.stringify({ group: 'customers', users: [name] }) }, unknown('user')),
      );
      await refuses(server, { body: JSON.stringify({ group: name, users: [] }) }, unknown('group'));
      await refuses(
        server,
        { id: 'permissions.view-add', body: JSON.stringify({ groups: [], users: [name] }) },
        unknown('user'),
      );
      const space = {
        status: 404,
        code: 'unknown-space',
        message: `There is no space with the key ${shown(name)}.`,
      } as const;
      await refuses(
        server,
        { id: 'spaces.add-sidebar-link', body: JSON.stringify({ spaceKey: name, label: '', url: '' }) },
        space,
      );
    });

    it(`as the recipient of a push: ${what}`, async () => {
      const sandbox = await freshSandbox(server);
      const before = await worldOf(server, sandbox);
      const got = await ask(server, sandbox, {
        id: 'ppf.push',
        body: JSON.stringify({ users: [name], groups: [name], filters: [10500] }),
      });
      expectPlainHeaders(got);
      const messages = [`Could not find user with name ${name}`, `Could not find group with name ${name}`];
      expect([got.status, JSON.parse(got.text)]).to.deep.equal([200, { success: false, messages }]);
      expect(await worldOf(server, sandbox)).to.equal(before);
    });

    it(`as a new group, exported and found again: ${what}`, async () => {
      const sandbox = await freshSandbox(server);
      const body = JSON.stringify({ group: name, users: ['alice'] });
      const made = await ask(server, sandbox, { body, headers: { 'x-fake-reading': 'unknown-group=create' } });
      expect(made.status, made.text).to.equal(200);
      expectPlainHeaders(made);
      const { groups } = JSON.parse(await worldOf(server, sandbox)) as { groups: Record<string, string[]> };
      expect(Object.entries(groups)).to.deep.include([name, ['alice']]);
      expect((await ask(server, sandbox, { id: 'groups.remove-users', body })).status).to.equal(200);
      expect((await entriesOf(server, sandbox)).map(entry => entry.request.body)).to.deep.equal([body, body]);
    });

    it(`as the text of a link: ${what}`, async () => {
      const sandbox = await freshSandbox(server);
      const body = JSON.stringify({ spaceKey: 'ds', label: name, url: name });
      expect((await ask(server, sandbox, { id: 'spaces.add-sidebar-link', body })).status).to.equal(200);
      expect(JSON.parse(await worldOf(server, sandbox)))
        .to.have.nested.property('spaces.ds.sidebar')
        .that.deep.equals([{ label: name, url: name }]);
    });
  }

  it('composed and decomposed are different', async () => {
    const sandbox = await freshSandbox(server);
    const headers = { 'x-fake-reading': 'unknown-group=create' };
    for (const group of [NFC, NFD]) await ask(server, sandbox, { body: JSON.stringify({ group, users: [] }), headers });
    const { groups } = JSON.parse(await worldOf(server, sandbox)) as { groups: object };
    expect(Object.keys(groups)).to.include.members([NFC, NFD]);
    expect(NFC).not.to.equal(NFD);
  });

  it('that are unknown are listed up to ten, and the rest is counted', async () => {
    const users = Array.from({ length: 12 }, (_, i) => `u${i}`);
    const listed = users
      .slice(0, 10)
      .map(name => `"${name}"`)
      .join(', ');
    const message = `There is no user named ${listed} and 2 more.`;
    await refuses(
      server,
      { body: JSON.stringify({ group: 'customers', users }) },
      { status: 404, code: 'unknown-user', message },
    );
  });

  it('sent in a header are checked before they are sent back in one', async () => {
    for (const [readings, message] of [
      ['constructor=x', 'There is no gap "constructor".'],
      ['__proto__=x', 'There is no gap "__proto__".'],
      ['unknown-user=toString', 'unknown-user has no reading "toString": expected 404, 400, skip.'],
      ['unknown-user', '"unknown-user" is no reading: write gap=value, as in unknown-user=400.'],
      ['=', 'There is no gap "".'],
      ['unknown-user=', 'unknown-user has no reading "": expected 404, 400, skip.'],
      ['context-path=/\u00e4', /^context-path has no reading "\/.+": expected any, none, a literal such as \/wiki\.$/],
    ] as const) {
      expectPlainHeaders(
        await refuses(
          server,
          { headers: { 'x-fake-reading': readings } },
          { status: 400, code: 'unknown-reading', message },
        ),
      );
    }
  });
});

// How a request names its sandbox: by path, by header and by both; and `leaks`: the requests that named none while other
// sandboxes existed. What clears them: tests/model.
import { expect } from 'chai';
import { createFake, type Fake, startFake } from '../../server/index.js';
import { sendRaw } from '../support/wire/server.js';
import { useFake } from '../support/worlds/use-fake.js';
import { byHttp } from './interfaces.js';

const PUSH = '/rest/cwx-ppf/latest/push';
const body = { users: ['alice'], filters: [10500] };
/** The header X-Fake-Sandbox, perhaps several times. */
type Named = string | string[] | undefined;

describe('the sandbox of a request', () => {
  const fake = useFake(startFake);
  /** The sandbox that answered, by its own account, and the status. */
  const asked = async (path: string, named: Named) => {
    const headers = { ...(named !== undefined && { 'X-Fake-Sandbox': named }), Authorization: 'Bearer admin-token' };
    const response = await byHttp({ method: 'POST', url: fake.url + path, body, headers });
    const names = await Promise.all(
      (await fake.sandboxes()).map(async ({ name }) => [name, (await fake.sandbox(name).journal()).length] as const),
    );
    for (const [name] of names) await fake.sandbox(name).clearJournal();
    return { status: response.status, response, in: names.filter(([, entries]) => entries > 0).map(([name]) => name) };
  };

  const rightly: ReadonlyArray<readonly [path: string, header: Named, sandbox: string]> = [
    [PUSH, undefined, 'default'],
    [`/~a${PUSH}`, undefined, 'a'],
    [PUSH, 'b', 'b'],
    [`/~c${PUSH}`, 'c', 'c'],
    [`/~d${PUSH}`, 'e', 'd'],
    [`/~d${PUSH}`, 'not a name', 'd'],
    [`/~f/wiki${PUSH}`, undefined, 'f'],
    [`/~default${PUSH}`, 'e', 'default'],
    [`/~A${PUSH}`, undefined, 'A'],
    [`/~__proto__${PUSH}`, undefined, '__proto__'],
    [`/~${'x'.repeat(64)}${PUSH}`, undefined, 'x'.repeat(64)],
  ];
  it('is named by the path before the header, or is default', async () => {
    for (const [path, header, sandbox] of rightly) {
      const { response: _, ...found } = await asked(path, header);
      expect(found, `${path} ${header}`).to.deep.equal({ status: 200, in: [sandbox] });
    }
  });

  const usual = 'expected 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens';
  const wrongly: ReadonlyArray<readonly [path: string, header: Named, shown: string, error?: string]> = [
    [`/~${PUSH}`, undefined, '""'],
    [PUSH, '', '""'],
    [PUSH, ['a', 'b'], '"a, b"'],
    [PUSH, 'a b', '"a b"'],
    [`/~a%2Fb${PUSH}`, undefined, '"a%2Fb"'],
    [`/~${'x'.repeat(65)}${PUSH}`, undefined, `"${'x'.repeat(65)}"`],
    [PUSH, '..', '".."', 'no URL can name it'],
    [`/~a!${PUSH}`, 'a', '"a!"'],
  ];
  it('cannot have another name', async () => {
    for (const [path, header, shown, error = usual] of wrongly) {
      const before = (await fake.sandboxes()).map(({ name }) => name).sort();
      const { response, ...found } = await asked(path, header);
      expect(found, shown).to.deep.equal({ status: 400, in: [] });
      expect(response.text).to.contain(JSON.stringify(`${shown} is not a valid sandbox name: ${error}.`).slice(1, -1));
      expect((await fake.sandboxes()).map(({ name }) => name).sort()).to.deep.equal(before);
    }
  });

  it('is that of the path for a control request', async () => {
    await fake.sandbox('own', { clock: '2026-01-05T09:00:00Z' }).describe();
    const url = `${fake.url}/_fake/v1/sandboxes/own/clock`;
    const response = await byHttp({ method: 'GET', url, headers: { 'X-Fake-Sandbox': 'a' } });
    expect(response.json).to.deep.equal({ now: '2026-01-05T09:00:00Z', running: false });
  });

  it('is never taken from an earlier request on the connection', async () => {
    const head = (path: string, ...more: readonly string[]) =>
      [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...more, 'Content-Length: 0', '', ''].join('\r\n');
    const text = await sendRaw(fake.url, head(PUSH, 'X-Fake-Sandbox: first') + head(PUSH, 'Connection: close'));
    expect([...text.matchAll(/^x-fake-sandbox: (.*)\r$/gim)].map(([, name]) => name)).to.deep.equal([
      'first',
      'default',
    ]);
  });
});

describe('the leaks', () => {
  let fake: Fake;
  beforeEach(async () => {
    fake = await createFake();
  });
  afterEach(() => fake.stop());
  const push = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fake.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const journal = async () =>
    (await (await fake.fetch('/_fake/v1/sandboxes/default/journal')).json()) as { leaks: object };
  const leaked = async () => {
    const { count, entries } = await fake.leaks();
    return { count, entries: entries.map(({ id, caller }) => ({ id, caller })) };
  };

  it('are the requests without a sandbox, but not those that name default, from any client', async () => {
    const own = fake.sandbox('own');
    await own.client('admin').ppf.push({ body }); // by the library, which names it
    await push(`/~own${PUSH}`);
    await push(PUSH, { 'X-Fake-Sandbox': 'own' });
    await push(PUSH, { 'X-Fake-Sandbox': 'default' });
    await push(`/~default${PUSH}`);
    await fake.sandbox('default').client('admin').ppf.push({ body });
    expect(await leaked()).to.deep.equal({ count: 0, entries: [] });
    await push(PUSH, { Authorization: 'Bearer admin-token' });
    await push(PUSH, { Authorization: `Basic ${Buffer.from('carol:carol').toString('base64')}` });
    await push(PUSH);
    await push('/nowhere');
    expect(await leaked()).to.deep.equal({
      count: 4,
      entries: [
        { id: 4, caller: 'admin' },
        { id: 5, caller: 'carol' },
        { id: 6, caller: 'anonymous' },
        { id: 7, caller: undefined },
      ],
    });
    expect((await journal()).leaks).to.deep.equal({ count: 4, entries: [4, 5, 6, 7] });
    expect((await own.journal()).map(({ leaked: isLeak }) => isLeak)).to.deep.equal([undefined, undefined, undefined]);
    await own.drop();
    await push(PUSH);
    expect((await fake.leaks()).count, 'once nobody has a sandbox of their own').to.equal(4);
  });

  it('include no control request, and end with their sandbox', async () => {
    await fake.sandbox('own').describe();
    await push(PUSH);
    await fake.sandbox('default').drop();
    await fake.fetch('/_fake/v1/sandboxes');
    await fake.fetch('/_fake/v1/provider-states', { method: 'POST' });
    expect(await leaked()).to.deep.equal({ count: 0, entries: [] });
  });
});

// The `fetch` of a fake compared with the platform's: the same requests, over a socket and within the process, get the same
// answers.
import { expect } from 'chai';
import { startFake } from '../../../server/index.js';
import { fetching } from '../../../server/library/port/fetch.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import { failure } from '../../support/worlds/failure.js';
import { useFake } from '../../support/worlds/use-fake.js';

const wiki = '/rest/cwxapiextension/latest';
const json = { 'Content-Type': 'application/json' };
const joining = JSON.stringify({ group: 'customers', users: ['alice'] });
const gone = { 'X-Fake-Reading': 'wiki-success=no-content' };

describe('fake.fetch', () => {
  const fake = useFake(startFake);

  /** A response without the headers that a connection, a clock and its id make unique. */
  async function seen(response: Response): Promise<object> {
    const headers = [...response.headers].filter(
      ([name]) => !['date', 'connection', 'keep-alive', 'x-request-id'].includes(name),
    );
    const { status, statusText, ok, body } = response;
    return { status, statusText, ok, headers, hasBody: body !== null, text: await response.text() };
  }

  const add = `${wiki}/groups/add-users`;
  /** Of each kind that only fetch has; tests/library/target/alike.test.ts compares everything else. */
  const requests: Record<string, [path: string, init: () => RequestInit, status: number]> = {
    'a response of 204': [add, () => ({ method: 'POST', headers: { ...json, ...gone }, body: joining }), 204],
    'a blob': [add, () => ({ method: 'POST', headers: json, body: new Blob([joining]) }), 200],
    'a form': [add, () => ({ method: 'POST', body: new URLSearchParams({ group: 'customers' }) }), 400],
    'a stream': [
      add,
      () => ({ method: 'POST', headers: json, body: streamOf(joining), duplex: 'half' }) as RequestInit,
      200,
    ],
  };
  for (const [what, [path, init, status]] of Object.entries(requests)) {
    it(`answers ${what} as over a socket: ${status}`, async () => {
      const within = await seen(await fake.fetch(path, { ...init(), ...inSandbox('within', init()) }));
      expect(within).to.include({ status });
      const over = await seen(await fetch(fake.url + path, { ...init(), ...inSandbox('over', init()) }));
      const renamed = JSON.parse(JSON.stringify(within).replaceAll('within', 'over')) as object;
      expect(renamed).to.deep.equal(over);
    });
  }

  function inSandbox(name: string, { headers }: RequestInit): RequestInit {
    return { headers: { ...(headers as Record<string, string> | undefined), 'X-Fake-Sandbox': name } };
  }

  it('accepts a Request, a URL and a string, absolute or relative', async () => {
    const url = `${fake.url}/_fake/health`;
    const elsewhere = 'https://wiki.example.com/_fake/health'; // a client with a fixed base URL
    for (const input of [new Request(url), new URL(url), url, '/_fake/health', '_fake/health', elsewhere])
      expect((await fake.fetch(input)).status, String(input)).to.equal(200);
  });

  it('sends repeated headers', async () => {
    const headers = new Headers(json);
    headers.append('X-Fake-Reading', 'unknown-user=400');
    headers.append('X-Fake-Reading', 'wiki-error-body=messages');
    const body = JSON.stringify({ group: 'customers', users: ['bob'] });
    const response = await fake.fetch(`${wiki}/groups/add-users`, { method: 'POST', headers, body });
    expect(response.status).to.equal(400);
    expect(await response.json())
      .to.have.property('messages')
      .that.has.length(1);
  });

  it('returns a response with repeated headers, bytes, and statuses of any kind', async () => {
    const bytes = new Uint8Array([0, 255, 1, 128]);
    const ask = (status: number) =>
      fetching(
        async () => ({
          ...answered,
          status,
          bytes,
          fields: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
          ],
        }),
        'http://a',
      );
    const response = await ask(200)('/');
    expect(response.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2']);
    expect(new Uint8Array(await response.arrayBuffer())).to.deep.equal(bytes);
    for (const status of [204, 205, 304]) expect((await ask(status)('/')).body, String(status)).to.equal(null);
    expect((await ask(599)('/')).status).to.equal(599);
  });
  const answered: RawResponse = { status: 200, headers: {}, text: '', bytes: new Uint8Array(), fields: [] };

  it('aborts on its signal', async () => {
    expect((await failure(fake.fetch('/', { signal: AbortSignal.abort() }), DOMException)).name).to.equal('AbortError');
    const never = fetching(() => new Promise(() => {}), fake.url);
    const late = AbortSignal.timeout(10);
    expect((await failure(never('/', { signal: late }), DOMException)).name).to.equal('TimeoutError');
  });

  it('refuses an invalid Request, as the platform does', async () => {
    await failure(fake.fetch('/', { method: 'GET', body: 'a' }), TypeError);
    await failure(fake.fetch('/', { method: 'TRACE' }), TypeError);
  });

  it('fails with the error of its request body', async () => {
    const broken = new ReadableStream({ start: controller => controller.error(new Error('no more')) });
    const init = { method: 'POST', body: broken, duplex: 'half' } as RequestInit; // the types of Node lack duplex
    expect((await failure(fake.fetch('/', init), Error)).message).to.equal('no more');
  });
});

function streamOf(text: string): ReadableStream<Uint8Array> {
  const halves = [text.slice(0, 7), text.slice(7)].map(half => new TextEncoder().encode(half));
  return new ReadableStream({
    pull(controller) {
      const half = halves.shift();
      if (half === undefined) controller.close();
      else controller.enqueue(half);
    },
  });
}

// Operations and web pages: pages of other servers are refused, for every method and without a trace, unless --cors allows their origin.
import { expect } from 'chai';
import { createFake } from '../../../server/library/fake.js';
import { serveFlags } from '../../../server/settings/serve-flags.js';
import { entriesIn, send, sendJson, serving, useServer } from '../../support/wire/server.js';
import { asked, problemIn, type Seen } from '../asking.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const BODY = '{"group":"customers","users":["alice"]}';
const FRONT = 'http://localhost:3000';
const corsOf = ({ headers }: Seen) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-|vary)/.test(name)));

describe('operations and pages of other servers', () => {
  const server = useServer();

  const foreign: ReadonlyArray<readonly [headers: readonly string[], detail: string]> = [
    [['Origin: http://localhost:3000'], 'The request comes from the origin "http://localhost:3000"'],
    [['Origin: null'], 'The request comes from the origin "null"'],
    [['Sec-Fetch-Site: cross-site'], 'A page of another server sent this request (Sec-Fetch-Site: cross-site)'],
    [['Sec-Fetch-Site: same-site'], 'A page of another server sent this request (Sec-Fetch-Site: same-site)'],
    [
      ['Origin: http://localhost:1', 'Sec-Fetch-Site: cross-site'],
      'A page of another server sent this request (Sec-Fetch-Site: cross-site)',
    ],
  ];
  for (const [i, [headers, detail]] of foreign.entries())
    it(`are refused with ${headers.join(', ')}, and nothing happens`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'HEAD'])
        for (const path of [ADD, '/none', '/rest/cwx-ppf/latest/push', '/']) {
          if (path === '/' && (method === 'GET' || method === 'HEAD')) continue; // the front page
          const target = path === '/' ? path : `/~foreign-${i}${path}`;
          const type = 'Content-Type: text/plain';
          const seen = await asked(server.url, {
            method,
            target,
            headers: ['Host: localhost:1', type, ...headers],
            body: BODY,
          });
          expect({ status: seen.status, cors: corsOf(seen) }, `${method} ${path}`).to.deep.equal({
            status: 403,
            cors: {},
          });
          if (method !== 'HEAD')
            expect(problemIn(seen).detail).to.equal(
              `${detail}; to allow it, start the server with --cors and that origin.`,
            );
        }
      expect((await send(`${server.url}/_fake/v1/sandboxes`)).text).not.to.contain('foreign-');
      expect(await entriesIn(server)).to.deep.equal([]);
    });

  for (const headers of [
    [],
    ['Sec-Fetch-Site: none'],
    ['Sec-Fetch-Site: same-origin', 'Origin: http://localhost:1'],
    ['Origin: https://localhost:1'],
  ])
    it(`accept ${headers.join(', ') || 'a request that no browser sends'}`, async () => {
      const own = ['Host: localhost:1', 'Content-Type: application/json', 'X-Fake-Sandbox: own', ...headers];
      const seen = await asked(server.url, { method: 'POST', target: ADD, headers: own, body: BODY });
      expect({ status: seen.status, cors: corsOf(seen) }).to.deep.equal({ status: 200, cors: {} });
    });
});

describe("a browser's read without Sec-Fetch-Site and Origin", () => {
  const server = useServer();
  const AGENT = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';
  const LAN = 'Host: 192.168.1.5:8080';
  const get = (sandbox: string, headers: readonly string[], method = 'GET') =>
    asked(server.url, { method, target: `/~${sandbox}/rest/api/space`, headers });
  const sandboxes = async () => (await send(`${server.url}/_fake/v1/sandboxes`)).text;

  it('may come from any page: it creates no sandbox, and uses those that exist', async () => {
    for (const accept of ['image/avif,image/webp,*/*', '*/*', 'text/html,*/*', 'text/event-stream'])
      for (const method of ['GET', 'HEAD'])
        for (const host of [LAN, 'Host: fake:8080', 'Host: [fd00::1]:8080']) {
          const { status } = await get('e1', [host, AGENT, `Accept: ${accept}`], method);
          expect({ host, status }).to.deep.equal({ host, status: 404 });
        }
    const refused = await get('e1', [LAN, AGENT]);
    expect(refused.body).to.contain('a browser request cannot create a sandbox by path');
    expect(await sandboxes()).not.to.contain('"e1"');
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'e1' });
    expect((await get('e1', [LAN, AGENT])).status).to.equal(200);
  });

  it('evicts no sandbox', async () => {
    const small = await serving(undefined, { 'max-sandboxes': '3' });
    await sendJson(`${small.url}/_fake/v1/sandboxes`, 'POST', { name: 'mine' });
    for (let i = 0; i < 10; i += 1)
      await asked(small.url, { target: `/~e${i}/rest/api/space`, headers: [LAN, AGENT, 'Accept: image/*'] });
    expect((await send(`${small.url}/_fake/v1/sandboxes/mine`)).status).to.equal(200);
    await small.stop();
  });

  it('creates no sandbox by a read of the control API, nor does a read of another site', async () => {
    const foreign = [
      [LAN, AGENT],
      ['Host: localhost:1', AGENT, 'Sec-Fetch-Site: cross-site'],
      ['Host: localhost:1', AGENT, 'Sec-Fetch-Site: same-site', 'Accept: text/event-stream'],
      ['Host: localhost:1', 'Origin: http://evil.example'],
    ];
    const targets = ['journal', 'world', 'events', 'clock'].map(what => `/_fake/v1/sandboxes/e2/${what}`);
    for (const headers of foreign)
      for (const target of [...targets, ...['provider-states', 'guide'].map(what => `/~e2/_fake/v1/${what}`)]) {
        const { status } = await asked(server.url, { target, headers });
        expect({ target, status }).to.deep.equal({ target, status: target.startsWith('/~') ? 200 : 404 });
      }
    expect(await sandboxes()).not.to.contain('"e2"');
    const target = '/_fake/v1/sandboxes/e2/events';
    const own = await asked(server.url, { method: 'HEAD', target, headers: ['Host: localhost:1', AGENT] });
    expect(own.status).to.equal(200);
  });

  for (const [title, headers] of Object.entries({
    'from a client that is not a browser': [LAN, 'User-Agent: curl/8.5.0'],
    'to a loopback address': ['Host: localhost:1', AGENT],
    'that names the sandbox in a header': [LAN, AGENT, 'X-Fake-Sandbox: x'],
    'of its own page': [LAN, AGENT, 'Origin: http://192.168.1.5:8080'],
    'typed into the address bar': [LAN, AGENT, 'Sec-Fetch-Site: none'],
  }))
    it(`creates a sandbox: ${title}`, async () => {
      const name = title.replace(/\W/g, '-');
      expect((await get(name, headers)).status).to.equal(200);
      expect(await sandboxes()).to.contain(`"${name}"`);
    });
});

describe('--cors', () => {
  const server = useServer(undefined, { cors: [FRONT, 'https://app.example'] });
  const from = (origin: string, request: Parameters<typeof asked>[1]) =>
    asked(server.url, {
      ...request,
      headers: ['Host: localhost:1', `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site', ...(request.headers ?? [])],
    });
  const granted = (origin: string) => ({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers':
      'X-Fake-Sandbox, X-Fake-Operation, X-Fake-Rules, X-Fake-Gaps, X-Fake-Fault, X-Fake-Stub, X-Request-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-FillRate, X-RateLimit-Interval-Seconds, Allow, WWW-Authenticate',
    vary: 'Origin',
  });

  it('answers a preflight of an allowed origin, and creates no sandbox for it', async () => {
    const seen = await from(FRONT, {
      method: 'OPTIONS',
      target: `/~preflight${ADD}`,
      headers: ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization,content-type'],
    });
    expect({ status: seen.status, body: seen.body, cors: corsOf(seen) }).to.deep.equal({
      status: 204,
      body: '',
      cors: {
        'access-control-allow-origin': FRONT,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '600',
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      },
    });
    expect((await send(`${server.url}/_fake/v1/sandboxes`)).text).not.to.contain('preflight');
  });

  for (const origin of [FRONT, 'https://app.example'])
    it(`lets pages of ${origin} send, and read every response of an operation`, async () => {
      const headers = ['Content-Type: application/json'];
      const done = await from(origin, { method: 'POST', target: ADD, headers, body: BODY });
      expect({ status: done.status, cors: corsOf(done) }).to.deep.equal({ status: 200, cors: granted(origin) });
      const wrong = await from(origin, { method: 'POST', target: ADD, headers, body: '{' });
      expect({ status: wrong.status, cors: corsOf(wrong) }).to.deep.equal({ status: 400, cors: granted(origin) });
      const unknown = await from(origin, { target: '/rest/none' });
      expect({ status: unknown.status, cors: corsOf(unknown) }).to.deep.equal({ status: 404, cors: granted(origin) });
      const asks = await from(origin, { method: 'OPTIONS', target: ADD });
      expect(corsOf(asks)).to.deep.equal(granted(origin));
    });

  it('tells caches that responses vary by origin, and grants nothing to other origins', async () => {
    const none = await asked(server.url, { method: 'POST', target: ADD, headers: ['Host: localhost'], body: '{' });
    expect({ status: none.status, cors: corsOf(none) }).to.deep.equal({ status: 400, cors: { vary: 'Origin' } });
    for (const origin of [
      'http://localhost:3001',
      'http://localhost:30000',
      'https://localhost:3000',
      'null',
      `${FRONT}/`,
    ]) {
      const headers = ['Access-Control-Request-Method: POST'];
      for (const method of ['OPTIONS', 'POST', 'GET']) {
        const seen = await from(origin, { method, target: `/~nobody${ADD}`, headers });
        expect({ status: seen.status, cors: corsOf(seen) }, `${origin} ${method}`).to.deep.equal({
          status: 403,
          cors: {},
        });
      }
    }
    expect((await send(`${server.url}/_fake/v1/sandboxes`)).text).not.to.contain('nobody');
  });

  it('leaves the control API unchanged', async () => {
    const reset = '/_fake/v1/sandboxes/default/reset';
    const headers = ['Access-Control-Request-Method: POST'];
    expect((await from(FRONT, { method: 'POST', target: reset })).status).to.equal(403);
    for (const [method, target] of [
      ['OPTIONS', reset],
      ['GET', '/_fake/v1/sandboxes'],
      ['GET', '/_fake/health'],
    ] as const)
      expect(corsOf(await from(FRONT, { method, target, headers }))).to.deep.equal({});
  });

  it('yields to a fault that sets such headers itself', async () => {
    const fault = {
      operation: 'groups.add-users',
      effect: { status: 503, headers: { 'access-control-allow-origin': '*' } },
    };
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'faulty' });
    await sendJson(`${server.url}/_fake/v1/sandboxes/faulty/faults`, 'PUT', { faults: [fault] });
    const headers = ['Content-Type: application/json'];
    const seen = await from(FRONT, { method: 'POST', target: `/~faulty${ADD}`, headers, body: BODY });
    expect(corsOf(seen)).to.deep.equal({ ...granted(FRONT), 'access-control-allow-origin': '*' });
  });

  it('takes origins as browsers send them', () => {
    const check = serveFlags.find(({ name }) => name === 'cors')?.check;
    for (const good of [
      FRONT,
      'https://app.example',
      'http://[::1]:3000',
      'capacitor://localhost',
      'https://xn--bcher-kva.example',
    ])
      expect(check?.(good), good).to.equal(undefined);
    const usual = 'it must be an origin in the form that browsers send, such as http://localhost:3000';
    const all =
      'it must be one origin, such as http://localhost:3000; * would let the pages of any website read responses';
    const wrong: Record<string, string> = {
      '*': all,
      any: all,
      null: usual,
      '': usual,
      'localhost:3000': usual,
      'http://': usual,
      'http://a b': usual,
      'http://localhost:3000/': 'browsers send this origin as http://localhost:3000',
      'http://localhost:3000/app': 'browsers send this origin as http://localhost:3000',
      'http://localhost:80': 'browsers send this origin as http://localhost',
      'https://App.Example:443': 'browsers send this origin as https://app.example',
      'https://bücher.example': 'browsers send this origin as https://xn--bcher-kva.example',
      'tauri://Localhost/x': 'browsers send this origin as tauri://localhost',
    };
    for (const [value, message] of Object.entries(wrong)) expect(check?.(value), value).to.equal(message);
  });
});

describe('a fake in process', () => {
  it('answers pages by the same rule', async () => {
    const fake = await createFake({ cors: [FRONT] });
    const askedFrom = async (origin: string) => {
      const { status, headers } = await fake.fetch(ADD, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: BODY,
      });
      return { status, allowed: headers.get('access-control-allow-origin') };
    };
    expect(await askedFrom(FRONT)).to.deep.equal({ status: 200, allowed: FRONT });
    expect(await askedFrom('http://localhost:3001')).to.deep.equal({ status: 403, allowed: null });
    expect(await askedFrom(new URL(fake.url).origin)).to.deep.equal({ status: 200, allowed: null });
    await fake.stop();
    const refused = await createFake({ cors: ['*'] }).catch((error: Error) => error.message);
    expect(refused).to.contain('/cors must be one origin');
  });
});

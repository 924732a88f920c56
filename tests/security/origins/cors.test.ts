// Operations and web pages: pages of other servers are refused, for every method and without a trace, unless --cors allows their origin.
import { expect } from 'chai';
import { createFake } from '../../../server/library/fake.js';
import { serveFlags } from '../../../server/settings/serve-flags.js';
import { entriesIn, sandboxNames, sendJson, serving, useServer } from '../../support/wire/server.js';
import { asked, problemIn, type Seen } from '../asking.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const BODY = '{"group":"customers","users":["alice"]}';
const JSON_TYPE = 'Content-Type: application/json';
const FRONT = 'http://localhost:3000';
/** The status, and the headers for browsers. */
const answered = ({ status, headers }: Seen) => ({
  status,
  cors: Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-|vary)/.test(name))),
});

describe('operations and pages of other servers', () => {
  const server = useServer();

  for (const headers of [
    ['Origin: http://localhost:3000'],
    ['Origin: null'],
    ['Sec-Fetch-Site: cross-site'],
    ['Sec-Fetch-Site: same-site'],
    ['Origin: http://localhost:1', 'Sec-Fetch-Site: cross-site'],
  ])
    it(`are refused with ${headers.join(', ')}, and nothing happens`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'HEAD'])
        for (const path of [ADD, '/none', '/rest/cwx-ppf/latest/push']) {
          const own = ['Host: localhost:1', 'Content-Type: text/plain', ...headers];
          const seen = await asked(server.url, { method, target: `/~foreign${path}`, headers: own, body: BODY });
          expect(answered(seen), `${method} ${path}`).to.deep.equal({ status: 403, cors: {} });
          if (method !== 'HEAD') expect(problemIn(seen).detail).to.include('--cors');
        }
      expect(await sandboxNames(server.url)).to.not.include('foreign');
      expect(await entriesIn(server)).to.deep.equal([]);
    });

  for (const headers of [
    [],
    ['Sec-Fetch-Site: none'],
    ['Sec-Fetch-Site: same-origin', 'Origin: http://localhost:1'],
    ['Origin: https://localhost:1'],
  ])
    it(`accept ${headers.join(', ') || 'a request that no browser sends'}`, async () => {
      const own = ['Host: localhost:1', JSON_TYPE, 'X-Fake-Sandbox: own', ...headers];
      const seen = await asked(server.url, { method: 'POST', target: ADD, headers: own, body: BODY });
      expect(answered(seen)).to.deep.equal({ status: 200, cors: {} });
    });
});

describe("a browser's read without Sec-Fetch-Site and Origin", () => {
  const server = useServer();
  const AGENT = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';
  const LAN = 'Host: 192.168.1.5:8080';
  const get = (sandbox: string, headers: readonly string[], method = 'GET', url = server.url) =>
    asked(url, { method, target: `/~${sandbox}/rest/api/space`, headers });

  it('may come from any page: it creates and evicts no sandbox, and uses those that exist', async () => {
    const small = await serving(undefined, { 'max-sandboxes': '3' });
    await sendJson(`${small.url}/_fake/v1/sandboxes`, 'POST', { name: 'mine' });
    for (const accept of ['image/avif,image/webp,*/*', 'text/html,*/*', 'text/event-stream'])
      for (const method of ['GET', 'HEAD'])
        for (const host of [LAN, 'Host: fake:8080', 'Host: [fd00::1]:8080']) {
          const { status } = await get('e1', [host, AGENT, `Accept: ${accept}`], method, small.url);
          expect({ host, status }).to.deep.equal({ host, status: 404 });
        }
    const { body } = await get('e1', [LAN, AGENT], 'GET', small.url);
    expect(body).to.contain('a browser request cannot create a sandbox by path');
    expect((await get('mine', [LAN, AGENT], 'GET', small.url)).status).to.equal(200);
    expect(await sandboxNames(small.url)).to.deep.equal(['default', 'mine']);
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
    expect(await sandboxNames(server.url)).to.not.include('e2');
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
      expect(await sandboxNames(server.url)).to.include(name);
    });
});

describe('--cors', () => {
  const server = useServer(undefined, { cors: [FRONT, 'https://app.example'] });
  const from = (origin: string, { headers = [], ...request }: Parameters<typeof asked>[1]) => {
    const own = ['Host: localhost:1', `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site', ...headers];
    return asked(server.url, { ...request, headers: own });
  };
  const granted = (origin: string) => ({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers':
      'X-Fake-Sandbox, X-Fake-Operation, X-Fake-Rules, X-Fake-Gaps, X-Fake-Fault, X-Fake-Stub, X-Request-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-FillRate, X-RateLimit-Interval-Seconds, Allow, WWW-Authenticate',
    vary: 'Origin',
  });

  it('answers a preflight of an allowed origin, and creates no sandbox for it', async () => {
    const headers = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization,x-a'];
    expect(answered(await from(FRONT, { method: 'OPTIONS', target: `/~preflight${ADD}`, headers }))).to.deep.equal({
      status: 204,
      cors: {
        'access-control-allow-origin': FRONT,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT',
        'access-control-allow-headers': 'authorization,x-a',
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    });
    expect(await sandboxNames(server.url)).to.not.include('preflight');
  });

  it('lets pages of its origins send, and read every response of an operation', async () => {
    for (const origin of [FRONT, 'https://app.example'])
      for (const [method, target, body, status] of [
        ['POST', ADD, BODY, 200],
        ['POST', ADD, '{', 400],
        ['GET', '/rest/none', undefined, 404],
      ] as const) {
        const seen = await from(origin, { method, target, headers: [JSON_TYPE], ...(body !== undefined && { body }) });
        expect(answered(seen), `${method} ${target}`).to.deep.equal({ status, cors: granted(origin) });
      }
  });

  it('tells caches that responses vary by origin, and grants nothing to other origins', async () => {
    const none = await asked(server.url, { method: 'POST', target: ADD, headers: ['Host: localhost'], body: '{' });
    expect(answered(none)).to.deep.equal({ status: 400, cors: { vary: 'Origin' } });
    for (const origin of ['http://localhost:30000', 'https://localhost:3000', 'null', `${FRONT}/`])
      for (const method of ['OPTIONS', 'POST', 'GET']) {
        const headers = ['Access-Control-Request-Method: POST'];
        const seen = await from(origin, { method, target: `/~nobody${ADD}`, headers });
        expect(answered(seen), `${origin} ${method}`).to.deep.equal({ status: 403, cors: {} });
      }
    expect(await sandboxNames(server.url)).to.not.include('nobody');
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
      expect(answered(await from(FRONT, { method, target, headers })).cors).to.deep.equal({});
  });

  it('yields to a fault that sets such headers itself', async () => {
    const effect = { status: 503, headers: { 'access-control-allow-origin': '*' } };
    const faults = [{ operation: 'groups.add-users', effect }];
    await sendJson(`${server.url}/_fake/v1/sandboxes/faulty`, 'PUT', {});
    await sendJson(`${server.url}/_fake/v1/sandboxes/faulty/faults`, 'PUT', { faults });
    const seen = await from(FRONT, { method: 'POST', target: `/~faulty${ADD}`, headers: [JSON_TYPE], body: BODY });
    expect(answered(seen).cors).to.deep.equal({ ...granted(FRONT), 'access-control-allow-origin': '*' });
  });

  it('takes origins as browsers send them, and names that form', () => {
    const check = serveFlags.find(({ name }) => name === 'cors')?.check;
    for (const good of [FRONT, 'http://[::1]:3000', 'capacitor://localhost', 'https://xn--bcher-kva.example'])
      expect(check?.(good), good).to.equal(undefined);
    const wrong: Record<string, string> = {
      '*': '* would let the pages of any website read responses',
      null: 'such as http://localhost:3000',
      'localhost:3000': 'such as http://localhost:3000',
      'http://localhost:3000/app': 'browsers send this origin as http://localhost:3000',
      'https://App.Example:443': 'browsers send this origin as https://app.example',
      'https://bücher.example': 'browsers send this origin as https://xn--bcher-kva.example',
    };
    for (const [value, message] of Object.entries(wrong)) expect(check?.(value), value).to.contain(message);
  });
});

describe('a fake in process', () => {
  it('answers pages by the same rule', async () => {
    const fake = await createFake({ cors: [FRONT] });
    const askedFrom = async (origin: string) => {
      const headers = { 'content-type': 'application/json', origin };
      const { status, headers: seen } = await fake.fetch(ADD, { method: 'POST', headers, body: BODY });
      return { status, allowed: seen.get('access-control-allow-origin') };
    };
    expect(await askedFrom(FRONT)).to.deep.equal({ status: 200, allowed: FRONT });
    expect(await askedFrom('http://localhost:3001')).to.deep.equal({ status: 403, allowed: null });
    expect(await askedFrom(new URL(fake.url).origin)).to.deep.equal({ status: 200, allowed: null });
    await fake.stop();
    const refused = await createFake({ cors: ['*'] }).catch((error: Error) => error.message);
    expect(refused).to.contain('/cors must be one origin');
  });
});

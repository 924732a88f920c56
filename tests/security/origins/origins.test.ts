// Requests that foreign web pages can send, none of which controls the server; and the rule of all guards, compared with five lines of code.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Running } from '../../../server/process/start.js';
import { RawConnection, responsesIn } from '../../support/wire/raw-connection.js';
import { serving, useServer } from '../../support/wire/server.js';
import { asked, problemIn } from '../asking.js';

const RESET = '/_fake/v1/sandboxes/default/reset';
const PUSH = '/rest/cwx-ppf/latest/push';

describe('a page of another server', () => {
  const server = useServer();
  const change = (headers: readonly string[], method = 'POST', target = RESET) =>
    asked(server.url, { method, target, headers: ['Host: localhost:1', ...headers] });

  for (const site of ['same-origin', 'none'])
    it(`is not assumed if the browser sends ${site}`, async () =>
      expect((await change([`Sec-Fetch-Site: ${site}`])).status).to.equal(204));

  for (const headers of [
    ['Sec-Fetch-Site: cross-site'],
    ['Sec-Fetch-Site: same-site'],
    ['Sec-Fetch-Site: SAME-ORIGIN'],
    ['Sec-Fetch-Site:'],
    ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
    ['Origin: null'],
    ['Origin:'],
    ['Origin: http://localhost:2'],
    ['Origin: http://localhost'],
    ['Origin: https://evil.example', 'Sec-Fetch-Site: same-origin'],
    ['Origin: http://localhost:1', 'Origin: https://evil.example'],
    ['Origin: http://localhost:1.evil.example'],
    ['Origin: ws://localhost:1'],
    [`Origin: https://${'a'.repeat(9000)}.example`],
  ])
    it(`changes nothing with ${headers.join(', ').slice(0, 70)}`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY']) {
        const seen = await change(headers, method);
        expect(seen.status, method).to.equal(403);
        expect(problemIn(seen).status, method).to.equal(403);
      }
      expect((await change(headers, 'POST', '/~a/_fake/v1/provider-states')).status).to.equal(403);
    });

  for (const type of [
    'text/plain',
    'TEXT/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])
    it(`cannot send a form as ${type}, even from a browser without those headers`, async () => {
      const target = '/_fake/v1/sandboxes';
      const body = '{"name":"from-a-form"}';
      const headers = ['Host: localhost', `Content-Type: ${type}`];
      const seen = await asked(server.url, { method: 'POST', target, headers, body });
      expect({ status: seen.status, detail: problemIn(seen).detail }).to.deep.equal({
        status: 415,
        detail: `Send Content-Type: application/json, or no Content-Type if there is no body. Any website could make a browser send ${type.split(';')[0]?.toLowerCase()}, so such requests are refused.`,
      });
      expect((await asked(server.url, { method: 'POST', target: RESET, headers, body: '' })).status).to.equal(415);
      expect((await asked(server.url, { target })).body).not.to.contain('from-a-form');
    });

  it('gets no permission: no preflight is granted and no response has a CORS header', async () => {
    const own = ['Origin: https://evil.example', 'Access-Control-Request-Method: PUT'];
    for (const target of ['/', '/_fake/health', '/_fake/v1/sandboxes', RESET, '/_fake/v1/none', PUSH, '/none', '*'])
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const headers = ['Host: localhost', ...own, 'Access-Control-Request-Headers: authorization'];
        const seen = await asked(server.url, { method, target, headers });
        expect(seen.status, `${method} ${target}`).to.be.within(200, 499);
        expect(Object.keys(seen.headers).filter(name => /^access-control|^timing-allow/.test(name))).to.deep.equal([]);
      }
  });

  it('cannot read documents either: the read is answered, and the browser hides it from the page', async () => {
    const headers = ['Host: localhost', 'Origin: https://evil.example', 'Sec-Fetch-Site: cross-site'];
    const seen = await asked(server.url, { target: '/_fake/v1/sandboxes', headers });
    expect({
      status: seen.status,
      allowOrigin: seen.headers['access-control-allow-origin'],
    }).to.deep.equal({ status: 200, allowOrigin: undefined });
  });
});

describe('the guards', () => {
  let server: Running;
  let line: RawConnection;
  before(async () => {
    server = await serving('small-team', { 'allow-host': ['fake.test'] });
    line = await RawConnection.to(server.url);
  });
  after(async () => {
    line.close();
    await server.stop();
  });

  /** The rule of design 13, as documented. */
  function expected(method: string, host: string, origin?: string, site?: string): number {
    if (
      !/^([a-z][a-z0-9_-]{0,62}|127\.\d+\.\d+\.\d+|\[::1\]|(localhost|host\.docker\.internal|fake\.test)\.?)(:\d*)?$/i.test(
        host,
      )
    )
      return 421;
    if (method === 'GET') return 200;
    if (site !== undefined && !['same-origin', 'none'].includes(site)) return 403;
    if (origin !== undefined && ![`http://${host}`, `https://${host}`].includes(origin)) return 403;
    return 204;
  }

  const names = 'localhost LOCALHOST 127.0.0.1 127.1.2.3 [::1] fake.test evil.example localhost. fake.test.'.split(' ');
  const oddName = fc.stringMatching(/^[!-~]{0,12}$/);
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, oddName);
  const port = fc.oneof(
    fc.constantFrom('', ':', ':1', ':80', ':x', ':1:1', '@evil.example'),
    fc.nat(99_999).map(n => `:${n}`),
  );
  const host = fc.tuple(name, port).map(parts => parts.join(''));
  const scheme = fc.constantFrom('http://', 'https://', 'HTTP://', 'file://', '');
  const site = fc.oneof(fc.constantFrom('same-origin', 'same-site', 'cross-site', 'none', 'None', ''), oddName);
  const asking = host.chain(own =>
    fc.record(
      {
        method: fc.constantFrom('GET', 'POST'),
        host: fc.constant(own),
        origin: fc.oneof(
          fc.tuple(scheme, fc.oneof(fc.constant(own), host)).map(parts => parts.join('')),
          fc.constantFrom('null', ''),
        ),
        site,
      },
      { requiredKeys: ['method', 'host'] },
    ),
  );

  it('decide by their rule, for any host, origin and site', async () => {
    let seen: Record<number, number> = {};
    await fc.assert(
      fc.asyncProperty(asking, async ({ method, host: own, origin, site: from }) => {
        line.forget();
        const target = method === 'GET' ? '/_fake/v1/sandboxes' : RESET;
        const headers = [
          `Host: ${own}`,
          ...(origin === undefined ? [] : [`Origin: ${origin}`]),
          ...(from === undefined ? [] : [`Sec-Fetch-Site: ${from}`]),
        ];
        line.write(`${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
        const received = await line.until(isWhole);
        const status = Number(responsesIn(received)[0]?.line.split(' ')[1]);
        seen = { ...seen, [status]: (seen[status] ?? 0) + 1 };
        expect(status).to.equal(expected(method, own, origin, from));
      }),
      { numRuns: 2000, seed: 13 },
    );
    for (const status of [200, 204, 403, 421]) expect(seen[status], String(status)).to.be.above(50);
  });
});

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
  return received.length >= end + 4 + length;
}

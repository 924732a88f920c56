// Who gets an answer at all: hosts, origins, tokens (design 13). Sent over raw connections, because clients normalize such
// requests.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { RawConnection, requestBytes } from '../../support/wire/raw-connection.js';
import { send, sendJson, sendRaw, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const request = (path: string, headers: Record<string, string>, method = 'GET', body = '') =>
  `${method} ${path} HTTP/1.1\r\n${Object.entries({
    Connection: 'close',
    ...(method === 'GET' ? {} : { 'Content-Length': String(body.length) }),
    ...headers,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe('allowed hosts', () => {
  let server: Running;
  before(async () => {
    server = await serving('small-team', { 'allow-host': ['fake.test'] });
  });
  after(() => server.stop());

  for (const host of [
    '127.0.0.1',
    'localhost:1234',
    'LOCALHOST',
    '[::1]:80',
    'fake.test',
    'fake.test:8080',
    '127.0.0.2',
    '10.0.0.1',
  ]) {
    it(`include ${host}`, async () => {
      expect(statusOf(await sendRaw(server.url, request('/_fake/health', { Host: host })))).to.equal(200);
    });
  }

  for (const host of [
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'fake.test.evil',
    '',
  ]) {
    for (const path of ['/', '/_fake/health', '/_fake/v1/sandboxes', '/rest/cwx-ppf/latest/push']) {
      it(`exclude ${JSON.stringify(host)} on ${path}: 421`, async () => {
        const answer = await sendRaw(server.url, request(path, { Host: host }));
        expect(statusOf(answer)).to.equal(421);
        expect(answer).to.contain('--allow-host');
      });
    }
  }

  it('get no CORS headers, whatever the origin', async () => {
    const { headers } = await send(`${server.url}/_fake/v1/sandboxes`, { headers: { origin: 'https://evil.example' } });
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).to.deep.equal([]);
  });
});

describe('origins', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());
  const reset = (headers: Record<string, string>) =>
    sendRaw(server.url, request('/_fake/v1/sandboxes/default/reset', { Host: 'localhost:1', ...headers }, 'POST'));

  it('allow changes by its own page and by a program', async () => {
    expect(statusOf(await reset({ Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-origin' }))).to.equal(204);
    expect(statusOf(await reset({}))).to.equal(204);
  });

  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://localhost:2' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    it(`refuse a change with ${JSON.stringify(headers)}`, async () => {
      expect(statusOf(await reset(headers))).to.equal(403);
    });
  }
});

describe('the control token', () => {
  let server: Running;
  before(async () => {
    server = await serving('small-team', { 'control-token': 'let-me-in' });
  });
  after(() => server.stop());

  it('is required on every control path, for reading and for unknown paths too', async () => {
    const { paths } = (
      await send(`${server.url}/_fake/v1/control-openapi.json`, { headers: { authorization: 'Bearer let-me-in' } })
    ).json as { paths: Record<string, Record<string, unknown>> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => [method.toUpperCase(), `/_fake/v1${path.replace('{s}', 'default')}`] as const),
    );
    expect(routes.length).to.be.above(12);
    for (const [method, path] of [...routes, ['GET', '/_fake/v1/none'] as const, ['GET', '/_fake/x.json'] as const]) {
      const { status, headers } = await send(server.url + path, { method });
      expect([method, path, status, headers.get('www-authenticate')]).to.deep.equal([
        method,
        path,
        401,
        'Bearer realm="cwx-fake control"',
      ]);
    }
  });

  it('admits whoever sends it, and refuses any other', async () => {
    const shown = async (token: string) =>
      (await send(`${server.url}/_fake/v1/sandboxes`, { headers: { authorization: token } })).status;
    expect(await shown('Bearer let-me-in')).to.equal(200);
    for (const wrong of ['Bearer let-me-on', 'Bearer', 'let-me-in', 'Basic bGV0LW1lLWlu', 'Bearer let-me-in2'])
      expect(await shown(wrong)).to.equal(401);
  });

  it('is not required for health or for the operations', async () => {
    expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
    expect(
      (
        await sendJson(`${server.url}/rest/cwxapiextension/latest/groups/set-users`, 'POST', {
          group: 'customers',
          users: [],
        })
      ).status,
    ).to.equal(200);
  });

  it('is created automatically beyond loopback', async () => {
    const open = await serving('small-team', { host: '0.0.0.0' });
    expect(open.controlToken).to.match(/^[A-Za-z0-9_-]{24}$/);
    const url = open.url.replace('0.0.0.0', '127.0.0.1');
    expect((await send(`${url}/_fake/v1/sandboxes`)).status).to.equal(401);
    expect(
      (await send(`${url}/_fake/v1/sandboxes`, { headers: { authorization: `Bearer ${open.controlToken}` } })).status,
    ).to.equal(200);
    await open.stop();
  });
});

describe('stopping', () => {
  it('finishes a request in flight, and does not wait for idle connections', async () => {
    const server = await serving();
    await send(`${server.url}/_fake/health`);
    const body = JSON.stringify({ group: 'customers', users: ['alice'] });
    const head = request(
      '/rest/cwxapiextension/latest/groups/set-users',
      { Host: 'localhost', 'Content-Type': 'application/json' },
      'POST',
      body,
    );
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(head.slice(0, -5));
    await once(socket, 'ready');
    await new Promise(resolve => setTimeout(resolve, 50));
    const stopped = server.stop();
    socket.write(head.slice(-5));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(statusOf(answer.toString())).to.equal(200);
    await stopped;
    expect(await send(`${server.url}/_fake/health`).catch(() => 'closed')).to.equal('closed');
  });

  it('does not wait for incomplete requests, faults or silent connections', async () => {
    const server = await serving();
    const late = [{ operation: 'groups.set-users', effect: { delay: 3_600_000 } }];
    await sendJson(`${server.url}/_fake/v1/sandboxes/default/faults`, 'PUT', { faults: late });
    const path = '/rest/cwxapiextension/latest/groups/set-users';
    const whole = requestBytes('POST', path, JSON.stringify({ group: 'customers', users: ['alice'] }));
    const [silent, delayed, halfBody, halfHead] = await Promise.all(
      [1, 2, 3, 4].map(() => RawConnection.to(server.url)),
    );
    delayed?.write(whole + whole.slice(0, -5));
    halfBody?.write(whole.slice(0, -5));
    halfHead?.write(whole.slice(0, 30));
    await until(async () =>
      (await send(`${server.url}/_fake/v1/sandboxes/default/journal`)).text.includes('set-users'),
    );
    const began = performance.now();
    await server.stop();
    expect(performance.now() - began).to.be.below(3_000);
    const answers = await Promise.all([silent, delayed, halfBody, halfHead].map(line => line?.untilClosed()));
    expect(answers.map(text => text?.split('\r\n')[0])).to.deep.equal(['', 'HTTP/1.1 200 OK', '', '']);
  });
});

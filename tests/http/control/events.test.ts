// Server-sent events over HTTP, read by fetch and bare sockets: access, limits, and the end of a stream.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Log } from '../../../server/engine/log.js';
import { type Running, start } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type Settings, settingsFrom } from '../../../server/settings/settings.js';
import { type Listening, listen } from '../../support/wire/event-reader.js';
import { send, sendJson, sendRaw } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

interface Line {
  readonly level: keyof Log;
  readonly message: string;
  readonly details: object | undefined;
}

describe('the events of a sandbox over HTTP', () => {
  let server: Running;
  let lines: Line[];
  let open: Listening[];
  let sockets: Socket[];

  const begin = async (more: Partial<Settings> = {}): Promise<Running> => {
    const say = (level: keyof Log) => (message: string, details?: object) =>
      void lines.push({ level, message, details });
    const log = { info: say('info'), warn: say('warn'), error: say('error') };
    const running = await start({ ...settingsFrom(undefined, { port: '0' }), ...more }, log);
    if (isProblems(running)) throw new Error(JSON.stringify(running.problems));
    return running;
  };
  beforeEach(async () => {
    lines = [];
    open = [];
    sockets = [];
    server = await begin();
  });
  afterEach(async () => {
    for (const listening of open) listening.leave();
    for (const socket of sockets) socket.destroy();
    await server.stop();
  });

  const again = async (more: Partial<Settings>) => {
    await server.stop();
    server = await begin(more);
  };
  const events = (sandbox = 'default') => `${server.url}/_fake/v1/sandboxes/${sandbox}/events`;
  const listening = async (headers?: Record<string, string>, url = events()) => {
    const one = await listen(url, headers);
    open.push(one);
    return one;
  };
  const control = (method: string, path: string, body?: unknown) =>
    sendJson(`${server.url}/_fake/v1/sandboxes${path}`, method, body);
  const join = (user: string, sandbox = 'default', headers: Record<string, string> = {}) =>
    sendJson(`${server.url}/~${sandbox}${ADD}`, 'POST', { group: 'customers', users: [user] }, undefined, headers);
  const types = (one: { readonly events: readonly { readonly type: string }[] }) => one.events.map(({ type }) => type);

  it('have the type of an event stream, and are neither cached nor buffered', async () => {
    const one = await listening();
    const { response } = one;
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('transfer-encoding')).to.equal('chunked');
    expect(response.headers.get('x-accel-buffering')).to.equal('no');
    await until(() => one.lastId !== '');
    expect(one).to.deep.include({ retry: 2000, events: [] });
  });

  it('resume after the id of the header or the query; the header wins', async () => {
    const one = await listening();
    await join('alice');
    await join('carol');
    const all = [...(await one.count(4))];
    const after = await listening({ 'Last-Event-ID': all[1]?.id ?? '' });
    expect(await after.count(2)).to.deep.equal(all.slice(2));
    const query = `${events()}?lastEventId=${all[2]?.id}`;
    expect(await (await listening({}, query)).count(1)).to.deep.equal(all.slice(3));
    const both = await listening({ 'Last-Event-ID': all[0]?.id ?? '' }, query);
    expect(await both.count(3)).to.deep.equal(all.slice(1));
  });

  it('report that a sandbox expires, which a listener does not prevent; the log has the count', async () => {
    await again({ sandboxTtl: 1 });
    await control('POST', '', { name: 'a' });
    const one = await listening({}, events('a'));
    await one.count(1);
    expect(types(one)).to.deep.equal(['dropped']);
    await until(() => lines.length > 0);
    expect(lines).to.deep.equal([{ level: 'info', message: 'idle sandboxes have expired', details: { expired: 1 } }]);
  });

  it('keep a connection open with comments', async () => {
    await again({ events: { heartbeat: 20, retry: 1234 } });
    const one = await listening();
    await until(() => one.comments >= 3);
    expect(one).to.deep.include({ retry: 1234, events: [] });
  });

  describe('refuse', () => {
    const detail = async (url: string, headers: Record<string, string> = {}) => {
      const { status, json, headers: answered } = await send(url, { headers });
      return { status, detail: (json as { detail?: string }).detail, answered };
    };

    it('an invalid id', async () => {
      for (const id of ['x', '1', 'a.b.c.d', '0'.repeat(9000)]) {
        const { status, detail: says } = await detail(events(), { 'Last-Event-ID': id });
        expect(status).to.equal(400);
        expect(says).to.match(/is not an event id: send the id of the last received event, or omit it\.$/);
      }
    });

    it('more readers than allowed, with Retry-After; a leaving reader frees a place', async () => {
      await again({ events: { feeds: 2 } });
      const [first] = [await listening(), await listening()];
      const { status, answered, detail: says } = await detail(events());
      expect({ status, retryAfter: answered.get('retry-after') }).to.deep.equal({ status: 503, retryAfter: '5' });
      expect(says).to.equal('This server has 2 event streams open, which is the limit; try again in 5 seconds.');
      first.leave();
      await until(async () => (await send(events(), { method: 'HEAD' })).status === 200);
      await listening();
    });
  });

  it('answer HEAD with headers only, and take no place', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { status, headers, text } = await send(events(), { method: 'HEAD' });
      expect({ status, contentType: headers.get('content-type'), text }).to.deep.equal({
        status: 200,
        contentType: 'text/event-stream',
        text: '',
      });
    }
    expect(server.feeds.size).to.equal(0);
  });

  it('can be read over HTTP/1.0, without chunks', async () => {
    const response = sendRaw(server.url, `GET ${new URL(events()).pathname} HTTP/1.0\r\nHost: localhost\r\n\r\n`);
    await until(() => server.feeds.size === 1);
    await join('alice');
    await until(() => server.session.sandboxes.find('default')?.journal.size === 1);
    await server.stop();
    expect((await response).split('\r\n\r\n')[1]).to.match(/^retry: 2000\nid: \S+\n\nid: \S+\nevent: changed\n/);
  });

  describe('with a reader that does not read', () => {
    const stalled = async () => {
      const { hostname, port, pathname } = new URL(events());
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => {}); // cut off on purpose
      await once(socket, 'connect');
      const size = server.feeds.size;
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await until(() => server.feeds.size === size + 1);
      socket.pause();
      return socket;
    };
    const flood = async (holds: () => boolean) => {
      const text = 'x'.repeat(300_000);
      while (holds()) await sendJson(server.url + ADD, 'POST', { group: text, users: [] });
    };

    it('cut it off, report that to it and the log, and serve the others', async () => {
      const socket = await stalled();
      const other = await listening();
      await flood(() => lines.length === 0);
      expect(lines[0]).to.deep.include({
        level: 'info',
        message: 'an event stream was cut off because its reader was too slow',
      });
      expect(lines[0]?.details).to.have.property('sandbox', 'default');
      expect(lines[0]?.details).to.have.property('requestId').that.is.a('string');
      expect(server.feeds.size).to.equal(1);
      const count = other.events.length + 2;
      await join('alice');
      expect((await other.count(count)).at(-1)?.data).to.include({ operation: 'groups.add-users' });
      await until(() => socket.destroyed || !socket.write('\r\n')); // its connection is closed, not only the response
    });

    it('send it cut-off as the last event if it reads again in time', async () => {
      const socket = await stalled();
      let text = '';
      socket.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      socket.pause();
      await flood(() => server.feeds.size === 1);
      socket.resume();
      await until(() => text.endsWith('\r\n0\r\n\r\n'));
      expect(text).to.match(/event: cut-off\ndata: \{"reason":"[^"]+"\}\n\n\r\n0\r\n\r\n$/);
    });
  });
});

// The id of a request: the one sent, or one from its entry; on every response, in the journal and in the log; and safe to print.
import { expect } from 'chai';
import { silentLog } from '../../../server/engine/log.js';
import { createFake } from '../../../server/index.js';
import { entriesIn, type RawResponse, send, sendJson, sendRaw, serving, useServer } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const NEW = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the id of a request', () => {
  const server = useServer(undefined, { 'max-body': '100' });

  const idOf = ({ headers }: Pick<RawResponse, 'headers'>) => headers.get('x-request-id');
  const ask = (id: string, path = ADD) => send(server.url + path, { headers: { 'X-Request-Id': id } });
  it('is the one sent, in the response and in the journal', async () => {
    for (const id of ['a', 'job-7/42', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 'x'.repeat(128)]) {
      expect(idOf(await ask(id))).to.equal(id);
      expect((await entriesIn(server)).at(-1)).to.include({ requestId: id });
    }
  });

  it('is that of the entry if none was sent, or one that is empty, too long, repeated, or not visible ASCII', async () => {
    const sandbox = `${server.url}/~named`;
    let entry = 0;
    for (const id of [undefined, '', 'x'.repeat(129), 'a b', 'a\tb', 'caf\u00e9', 'a, b']) {
      const response = await send(sandbox + ADD, id === undefined ? {} : { headers: { 'X-Request-Id': id } });
      entry += 1;
      expect(idOf(response), String(id)).to.equal(`named.${entry}`);
      const last = (await entriesIn(server, 'named')).at(-1);
      expect({ id: last?.id, requestId: last?.requestId }).to.deep.equal({ id: entry, requestId: undefined });
    }
  });

  it('is a new one each time if there is no entry', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => idOf(await send(`${server.url}/_fake/health`))));
    for (const id of ids) expect(id).to.match(NEW);
    expect(new Set(ids).size).to.equal(3);
  });

  it('is that of the entry if two were sent, and bytes that could end a header never pass', async () => {
    for (const lines of [
      'X-Request-Id: a\r\nX-Request-Id: b',
      'X-Request-Id: a\u0085Set-Cookie: b',
      'X-Request-Id: \u001b[2J',
    ]) {
      const response = await sendRaw(
        server.url,
        Buffer.from(`GET ${ADD} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\nConnection: close\r\n\r\n`, 'latin1'),
      );
      const [, id] = /^X-Request-Id: (.*)\r$/im.exec(response) ?? [];
      if (response.startsWith('HTTP/1.1 400')) expect(id, 'of what is no HTTP').to.equal(undefined);
      else expect(id).to.match(/^default\.\d+$/);
      expect(response).not.to.match(/set-cookie/i);
    }
  });

  it('is on every response: operations, control API, pages, refusals of the guards, faults', async () => {
    const url = server.url;
    const headers = { 'X-Request-Id': 'mine' };
    const faults = [{ operation: 'groups.remove-users', effect: { status: 503 } }];
    for (const [status, method, path, body, more = {}] of [
      [200, 'GET', '/'],
      [200, 'GET', '/_fake/health'],
      [200, 'GET', '/_fake/v1/sandboxes'],
      [404, 'GET', '/_fake/v1/nowhere'],
      [405, 'PATCH', '/_fake/v1/sandboxes'],
      [403, 'POST', '/_fake/v1/sandboxes', undefined, { origin: 'http://evil.example' }],
      [404, 'GET', '/nowhere'],
      [413, 'POST', ADD, ' '.repeat(200)],
      [204, 'OPTIONS', ADD],
      [200, 'PUT', '/_fake/v1/sandboxes/default/faults', { faults }],
      [503, 'POST', ADD.replace('add', 'remove'), { group: 'customers', users: [] }],
    ] as const) {
      const response = await sendJson(url + path, method, body, undefined, { ...headers, ...more });
      expect({ status: response.status, id: idOf(response) }, path).to.deep.equal({ status, id: 'mine' });
    }
    const foreign = await sendRaw(
      url,
      'GET / HTTP/1.1\r\nHost: evil.example\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n',
    );
    expect(foreign).to.match(/^HTTP\/1\.1 421 [\s\S]*\r\nX-Request-Id: mine\r\n/);
  });

  it('is in the log beside an internal error, whose response reveals nothing more', async () => {
    const lines: Array<readonly [message: string, details: object | undefined]> = [];
    const error = (message: string, details?: object) => void lines.push([message, details]);
    const running = await serving(undefined, {}, { ...silentLog, error });
    running.session.respond = async () => {
      throw new Error('a bug that is here on purpose');
    };
    const response = await send(running.url + ADD, { headers: { 'X-Request-Id': 'mine' } });
    await running.stop();
    expect({ status: response.status, id: idOf(response) }).to.deep.equal({ status: 500, id: 'mine' });
    expect(response.text).not.to.contain('on purpose');
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]?.[0]).to.equal('a bug in cwx-fake');
    expect(lines[0]?.[1]).to.include({ requestId: 'mine', method: 'GET', path: ADD });
  });
});

describe('the trace of a request', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const parent = 'b7ad6b7169203331';
  const cases: ReadonlyArray<readonly [what: string, traceparent: string, isKept: boolean]> = [
    ['of the current version', `00-${trace}-${parent}-01`, true],
    ['of a later version, with more', `cc-${trace}-${parent}-01-what-the-future-brings`, true],
    ['of an invalid version', `ff-${trace}-${parent}-01`, false],
    ['without a trace id', `00-${'0'.repeat(32)}-${parent}-01`, false],
    ['that is too short', `00-${trace.slice(1)}-${parent}-01`, false],
    ['that is empty', '', false],
  ];
  it('is kept in its journal entry if it is valid', async () => {
    const fake = await createFake();
    for (const [what, traceparent, isKept] of cases)
      for (const path of [ADD, '/rest/api/space', '/nowhere']) {
        await fake.fetch(path, { headers: { traceparent } });
        const [entry] = await fake.sandbox('default').journal({ limit: 1 });
        expect(entry?.traceparent, what).to.equal(isKept ? traceparent : undefined);
      }
    await fake.stop();
  });
});

// The proxy before Pact's verifier passes every byte on unchanged, both ways, and ends with the first error behind it.
import { request } from 'node:http';
import { expect } from 'chai';
import {
  type InteractionHandler,
  openRecordingProxy,
  type RecordingProxy,
} from '../../../../harness/verify/native/recording-proxy.js';
import type { HttpRequest } from '../../../../server/derive/sending/call.js';
import type { RawResponse } from '../../../../server/scenario/play/target.js';
import { sendRaw } from '../../../support/wire/server.js';

interface Arrived {
  readonly number: number;
  readonly request: HttpRequest;
}

interface Seen {
  readonly status: number;
  readonly raw: readonly string[];
  readonly body: Buffer;
}

function responseOf(status: number, bytes: Uint8Array<ArrayBuffer>, fields: RawResponse['fields'] = []): RawResponse {
  return { status, headers: Object.fromEntries(fields), fields, text: Buffer.from(bytes).toString('utf8'), bytes };
}

const ok = responseOf(200, new Uint8Array());

describe('the proxy', () => {
  let proxy: RecordingProxy;
  let arrived: Arrived[];

  async function open(handler: Partial<InteractionHandler> = {}): Promise<void> {
    arrived = [];
    proxy = await openRecordingProxy({
      begin: async () => ({ values: {} }),
      respond: async (number, asked) => {
        arrived.push({ number, request: asked });
        return ok;
      },
      finish: async () => {},
      ...handler,
    });
  }

  /** As the verifier does. */
  function ask(
    method: string,
    path: string,
    headers: Record<string, string | string[]> = {},
    body?: Uint8Array | string,
  ): Promise<Seen> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(proxy.url);
      const asking = request({ hostname, port, path, method, headers, agent: false }, response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, raw: response.rawHeaders, body: Buffer.concat(chunks) }),
        );
      });
      asking.on('error', reject);
      if (body === undefined) asking.useChunkedEncodingByDefault = false;
      asking.end(body);
    });
  }

  async function change(action: string, state: string): Promise<Seen> {
    return ask(
      'POST',
      new URL(proxy.stateUrl).pathname,
      { 'content-type': 'application/json' },
      JSON.stringify({ action, state, params: {} }),
    );
  }

  it('passes every body on byte for byte: binary bytes, malformed JSON, a megabyte', async () => {
    await open();
    await change('setup', '0');
    const large = Buffer.alloc(1 << 20, Buffer.from([0, 0xff, 0x7b, 0x0a, 0xc3]));
    const bodies = [Buffer.from('{"users": ["alice"'), Buffer.from('{"n":9007199254740993}'), large];
    for (const body of bodies)
      await ask('POST', '/x', { 'content-type': 'application/json', 'content-length': String(body.length) }, body);
    await ask('POST', '/x', { 'transfer-encoding': 'chunked' }, large);
    await proxy.close();
    expect(arrived.map(({ request: { body } }) => Buffer.from(body ?? ''))).to.deep.equal([...bodies, large]);
  });

  it('passes headers on, each value, except those of the connection', async () => {
    await open();
    await change('setup', '0');
    await ask('GET', '/x', {
      'X-A': ['1', '2'],
      Authorization: 'Basic Og==',
      'X-Fake-Reading': 'a=b, c=d',
      'Keep-Alive': 'timeout=5',
    });
    await proxy.close();
    expect(arrived[0]?.request.headers).to.deep.equal({
      'x-a': '1, 2',
      authorization: 'Basic Og==',
      'x-fake-reading': 'a=b, c=d',
    });
  });

  it('returns the response with its status, every header and every byte', async () => {
    const bytes = new Uint8Array([0xff, 0, 0x7b, 0x22]);
    const fields = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['content-type', 'application/json'],
      ['x-odd', 'caf\u00e9'],
      ['connection', 'close'],
      ['content-length', '99'],
      ['transfer-encoding', 'chunked'],
    ] as const;
    await open({ respond: async () => responseOf(418, bytes, fields) });
    await change('setup', '0');
    const teapot = await ask('GET', '/x');
    expect(teapot).to.deep.include({ status: 418, body: Buffer.from(bytes) });
    const raw = teapot.raw.join('|');
    expect(raw)
      .to.contain('set-cookie|a=1|set-cookie|b=2|content-type|application/json|x-odd|café')
      .and.contain('content-length|4');
    expect(raw).to.not.contain('chunked').and.not.contain('99');
    await proxy.close();
  });

  for (const [when, actions, handler, says] of [
    ['while it responds', ['setup'], { respond: () => Promise.reject(new Error('no answer')) }, 'no answer'],
    ['while a state is set up', ['setup'], { begin: () => Promise.reject(new Error('no state')) }, 'no state'],
    [
      'while a state is torn down',
      ['setup', 'teardown'],
      { finish: () => Promise.reject(new Error('no end')) },
      'no end',
    ],
    ['before an interaction has begun', [], {}, 'the verifier sent a request before a provider state'],
  ] as const)
    it(`ends with the first error, and sends nothing more: ${when}`, async () => {
      await open(handler);
      for (const action of actions) await change(action, '0');
      for (const path of ['/1', '/2']) expect((await ask('GET', path)).status).to.equal(400);
      expect(arrived).to.deep.equal([]);
      expect(await proxy.close().catch((error: Error) => error.message)).to.equal(says);
    });

  it('ends although idle connections are open', async () => {
    await open();
    const silent = sendRaw(proxy.url, 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab').catch(
      () => 'cut off',
    );
    await change('setup', '0');
    await proxy.close().catch(() => {});
    expect(await silent).to.be.oneOf(['', 'cut off']);
  });
});

// Attacks with oversized requests: bodies in all framings, headers, numbers of headers.
import { gzipSync } from 'node:zlib';
import type { Attack } from '../attack.js';
import type { AttackRequest } from '../instance.js';
import type { Trial } from '../trial.js';

/** Far more than these APIs accept, but harmless for any machine. */
const LARGE_BODY = 8 * 1024 * 1024;
const LARGE_HEAD = 70_000;
const MANY_HEADERS = 1_000;
const GROUPS = '/rest/cwxapiextension/latest/groups/add-users';

export const largeBody: Attack = {
  name: 'large-body',
  defends: 'Nobody fills the memory with large bodies.',
  tries: 'A body of 8 MiB is sent with its length, in chunks, and packed by gzip.',
  remedy: 'Lower --max-body, or leave it out.',
  needsSandbox: true,
  run: async instance => {
    const path = instance.own(GROUPS);
    const text = Buffer.from(JSON.stringify({ group: 'a'.repeat(LARGE_BODY), users: [] }));
    const json = ['Content-Type', 'application/json'] as const;
    const asked: Array<readonly [how: string, asked: AttackRequest]> = [
      ['Content-Length', { headers: [json], body: text, path }],
      ['Transfer-Encoding: chunked', { headers: [json, ['Transfer-Encoding', 'chunked']], body: chunked(text), path }],
      ['Content-Encoding: gzip', { headers: [json, ['Content-Encoding', 'gzip']], body: gzipSync(text), path }],
    ];
    const trials: Trial[] = [];
    for (const [how, one] of asked) {
      const exchange = await instance.ask({ method: 'POST', ...one });
      const trial = instance.trial(exchange, ({ status }) => status !== 413);
      trials.push({ ...trial, sent: `POST ${path} | ${how} | ${LARGE_BODY} bytes` });
    }
    return { trials };
  },
};

export const largeHeaders: Attack = {
  name: 'large-headers',
  defends: 'Nobody fills the memory with headers or with the line of a request.',
  tries: `A header and a request line of ${LARGE_HEAD} bytes are sent.`,
  remedy: 'Do not raise the limit of Node (--max-http-header-size).',
  run: async instance => {
    const long = 'a'.repeat(LARGE_HEAD);
    const asked: AttackRequest[] = [
      { path: '/_fake/health', headers: [['X-Doctor', long]] },
      { path: `/_fake/health?${long}` },
    ];
    const trials: Trial[] = [];
    for (const one of asked) trials.push(instance.trial(await instance.ask(one), ({ status }) => status < 400));
    return { trials };
  },
};

export const manyHeaders: Attack = {
  name: 'many-headers',
  defends: 'Nobody keeps the server busy with thousands of headers, and none is dropped in silence.',
  tries: `A request with ${MANY_HEADERS} short headers is sent.`,
  remedy: 'Use a newer version, or a proxy in front that refuses such requests.',
  run: async instance => {
    const headers = Array.from({ length: MANY_HEADERS }, () => ['a', 'b'] as const);
    const exchange = await instance.ask({ path: '/_fake/health', headers });
    return { trials: [instance.trial(exchange, ({ status }) => status < 400)] };
  },
};

/** One chunk and the end. */
export function chunked(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
}

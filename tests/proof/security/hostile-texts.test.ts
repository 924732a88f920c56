// Texts of 1 MiB made of one part, repeated: whatever reads them takes time that is linear in their length.
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { basic, listening, serving } from '../../support/wire/server.js';

const SIZE = 2 ** 20 - 1000;
/** Milliseconds of the processor, many times what a busy machine needs. Quadratic work takes minutes. */
const MOST = 1500;
const parts = [
  ...[' ', '\n', '\r\n', ' \n', '%', '%41', '%ff&', '&', '=', '&=', '#', ' #', '"', '""', '"\n', "'", '\\', ',', ';'],
  ...[
    '[',
    '[],',
    '{',
    '}',
    '{"a":',
    '${',
    '(',
    '<',
    ': ',
    '- ',
    'a: b\n',
    '*a ',
    '&a ',
    '!',
    '|',
    '@',
    '/',
    'a/',
    '../',
  ],
  ...['token=', 'token=x&', '"token":', 'bearer ', 'basic aaaaaa ', '://', '://a@', '1', '1.1', 'é'],
];
const long = (part: string, size = SIZE) => part.repeat(Math.floor(size / part.length));

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
}

const json = (value: unknown) => JSON.stringify(value).slice(0, SIZE);
const sandbox = '/_fake/v1/sandboxes/hostile';
const push = '/rest/cwx-ppf/latest/push';

/** The requests with one part. Those to a path `/elsewhere` are forwarded, and the response is the text. */
const requests: Readonly<Record<string, (part: string) => Sent>> = {
  'a body': part => ({ path: push, body: long(part) }),
  'a form with a secret': part => ({ path: push, body: `a=token&b=${long(part)}` }),
  'JSON without its end': part => ({ path: push, body: `{"a": "${long(part)}` }),
  'a field': part => ({ path: push, body: json({ users: [long(part, SIZE / 6)], [long(part, SIZE / 6)]: 1 }) }),
  'a scenario': part => ({
    path: `${sandbox}/play`,
    body: json({ text: `title: a\nsteps:\n${long(part, SIZE / 2)}` }),
  }),
  'a scenario with a text that needs quotes': part => ({
    path: `${sandbox}/play`,
    body: json({ text: `title: @${long(part, SIZE / 2)}b` }),
  }),
  'a stub': part => ({
    path: `${sandbox}/stubs`,
    method: 'PUT',
    body: json({ stubs: [{ path: `/${long(part, SIZE / 6)}`, status: 200, body: long(part, SIZE / 6) }] }),
  }),
  'a fault': part => ({
    path: `${sandbox}/faults`,
    method: 'PUT',
    body: json({ faults: [{ operation: long(part, SIZE / 6), effect: { status: 500, body: long(part, SIZE / 6) } }] }),
  }),
  'a world': part => ({
    path: `${sandbox}/world`,
    method: 'PATCH',
    body: json({ groups: { [long(part, SIZE / 6)]: [long(part, SIZE / 6)] } }),
  }),
  'a pattern': part => ({
    path: `${sandbox}/journal/verify`,
    body: json({ body: { $match: `[${long(part, 900)}` } }),
  }),
  'a forwarded response': part => ({ path: `/elsewhere?${encodeURIComponent(part)}`, method: 'GET' }),
};

describe('a text of 1 MiB', () => {
  let fake: Running;
  let other: Server;
  before(async () => {
    other = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(long(decodeURIComponent(request.url?.split('?')[1] ?? '')));
    });
    fake = await serving(undefined, { fallback: await listening(other) });
    await statusOf({ path: '/_fake/v1/sandboxes', body: json({ name: 'hostile' }) });
  });
  after(async () => {
    await fake.stop();
    other.close();
  });

  async function statusOf({ path, method = 'POST', body }: Sent): Promise<number> {
    const headers = { Authorization: basic('admin', 'admin'), 'Content-Type': 'application/json' };
    const response = await fetch(`${fake.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    await response.arrayBuffer();
    return response.status;
  }

  for (const [what, requestOf] of Object.entries(requests)) {
    it(`is read in linear time as ${what}`, async () => {
      const slow: string[] = [];
      for (const part of [...parts, ...(what === 'a pattern' ? ['\\p{L}', '[:a:]', '(?a'] : [])]) {
        const before = process.cpuUsage();
        expect(await statusOf(requestOf(part)), part).to.be.below(500);
        const { user, system } = process.cpuUsage(before);
        if ((user + system) / 1000 > MOST) slow.push(part);
      }
      expect(slow).to.deep.equal([]);
    });
  }
});

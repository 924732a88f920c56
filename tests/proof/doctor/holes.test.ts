// Every attack finds its hole: a stand-in for each that is broken in one way. An attack without one fails here.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { attackNames } from '../../../server/doctor/attacks.js';
import type { Examination } from '../../../server/doctor/run-attacks.js';
import { type Broken, examined, type Hole, standIn } from '../../doctor/stand-ins.js';

interface Row extends Broken {
  readonly attack: string;
  /** Attacks that run before it, and may have filled the journal. */
  readonly after?: readonly string[];
  /** The doctor's input besides the target. */
  readonly examination?: Partial<Examination>;
  /** The finding, in the words of the first open trial. */
  readonly seen: RegExp;
  /** The same without the hole, if a fake with its defaults does not show that. */
  readonly sound?: Broken;
  /** Whether all other quick attacks are tried too, and find nothing. */
  readonly isSeenByOne?: true;
}

const urlHas = (part: string) => (request: IncomingMessage) => request.url?.includes(part) === true;
/** Answers in this way on the targeted requests, and leaves the rest to the fake. */
const answering =
  (
    isMeant: (request: IncomingMessage) => boolean,
    answer: (response: ServerResponse, request: IncomingMessage) => void,
  ): Hole =>
  (request, response, fake) =>
    isMeant(request) ? answer(response, request) : fake();
const saying = (status: number, body: string) => (response: ServerResponse) => response.writeHead(status).end(body);
/** Writes what no server may write. */
const raw =
  (header: (request: IncomingMessage) => string) =>
  (response: ServerResponse, request: IncomingMessage): void => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${header(request)}\r\n\r\n`);
  };
const quick = { patience: 300 };
const impatient = { answerTime: 300 };
const closing = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };

/** Those that do not wait, nor take all connections. */
const slow = ['slow-headers', 'slow-body', 'silent-connection', 'connection-limit'];
const quickAttacks = attackNames.filter(name => !slow.includes(name));

/** So that a sandbox is full soon. */
const smallSandboxes = { 'max-sandbox': '8' };

const shown: string[] = [];
const rows: readonly Row[] = [
  {
    attack: 'beyond-loopback',
    host: '0.0.0.0',
    flags: { 'control-token': 'let-me-in' },
    examination: { token: 'let-me-in' },
    seen: /^200 \{"status":"ok"/,
  },
  {
    attack: 'control-without-token',
    host: '0.0.0.0',
    seen: /^200 \{"sandboxes":/,
    sound: { host: '0.0.0.0', flags: { 'control-token': 'let-me-in' } },
  },
  {
    attack: 'wrong-token',
    flags: { 'control-token': 'let-me-in' },
    examination: { token: 'let-me-in' },
    hole: (request, _, fake) => {
      const { authorization } = request.headers;
      if (authorization?.startsWith('Bearer let-me-')) request.headers.authorization = 'Bearer let-me-in';
      fake();
    },
    seen: /^200 \{"sandboxes":/,
    sound: { flags: { 'control-token': 'let-me-in' } },
  },
  {
    attack: 'foreign-host',
    hole: answering(
      ({ headers }) => /doctor\.example/.test(headers.host ?? ''),
      (response, { headers }) => response.end(`This is ${headers.host}.`),
    ),
    seen: /^200 This is doctor\.example\.$/,
  },
  {
    attack: 'foreign-host',
    hole: answering(urlHas('http://doctor.example'), saying(200, 'This is doctor.example.')),
    seen: /^200 This is doctor\.example\.$/,
  },
  {
    attack: 'doubled-host',
    hole: answering(({ rawHeaders }) => rawHeaders.filter(name => name === 'Host').length > 1, saying(200, 'yes')),
    seen: /^200 yes$/,
  },
  {
    attack: 'foreign-origin',
    hole: ({ headers }, _, fake) => {
      if (headers.origin === 'null') delete headers.origin;
      fake();
    },
    seen: /^204$/,
  },
  {
    attack: 'foreign-operations',
    isSeenByOne: true,
    hole: ({ headers, url }, _, fake) => {
      if (url?.includes('/groups/') === true) delete headers.origin;
      fake();
    },
    seen: /^200$|^[24]0[04] /,
  },
  {
    attack: 'form-content-types',
    hole: ({ headers }, _, fake) => {
      if (headers['content-type']?.startsWith('text/plain')) headers['content-type'] = 'application/json';
      fake();
    },
    seen: /^201 \{"name":"form-0"/,
  },
  {
    attack: 'cors-headers',
    hole: (request, response, fake) => {
      if (request.method === 'OPTIONS') response.setHeader('Access-Control-Allow-Origin', '*');
      fake();
    },
    seen: /^\d+ access-control-allow-origin: \*$/,
  },
  { attack: 'large-body', flags: { 'max-body': '1073741824' }, seen: /^404 .*There is no group/ },
  {
    attack: 'large-body',
    hole: answering(
      ({ headers }) => headers['transfer-encoding'] === 'chunked',
      (response, request) => {
        request.resume().once('end', () => response.end('thanks'));
      },
    ),
    seen: /^200 thanks$/,
  },
  {
    attack: 'endless-packing',
    isSeenByOne: true,
    hole: answering(
      ({ headers }) => headers['content-encoding'] === 'gzip' && headers['transfer-encoding'] === 'chunked',
      (response, request) => {
        request.resume().once('end', () => response.writeHead(400).end('it is empty'));
      },
    ),
    seen: /^400 it is empty$/,
  },
  {
    attack: 'search-bomb',
    isSeenByOne: true,
    hole: (request, _, fake) => {
      const isLong = Number(request.headers['content-length']) > 20_000;
      if (isLong && urlHas('replaceInPage')(request))
        for (const end = performance.now() + 1_300; performance.now() < end; );
      fake();
    },
    seen: /^somebody else waited 1[\d]{3} ms$/,
  },
  {
    attack: 'unread-answers',
    isSeenByOne: true,
    options: { highWaterMark: 2 ** 30 },
    seen: /^all were performed$/,
    sound: {},
  },
  {
    attack: 'endless-growth',
    isSeenByOne: true,
    flags: { 'max-sandbox': '10000', 'max-memory': '10000' },
    seen: /^204$/,
  },
  {
    attack: 'honest-health',
    isSeenByOne: true,
    hole: answering(urlHas('/cwx-ppf/'), saying(503, 'The store is away.')),
    seen: /^200 \{"status":"ok"/,
  },
  { attack: 'large-headers', options: { maxHeaderSize: 1_000_000 }, seen: /^200 / },
  {
    attack: 'many-headers',
    hole: answering(({ rawHeaders }) => rawHeaders.length > 1_000, saying(200, 'yes')),
    seen: /^200 yes$/,
  },
  {
    attack: 'idle-connections',
    examination: impatient,
    hole: ({ socket }, _, fake) => {
      const { server } = socket as typeof socket & {
        server: { getConnections(count: (error: unknown, many: number) => void): void };
      }; // Node sets it
      server.getConnections((_error, many) => many < 30 && fake());
    },
    seen: /^there was no answer within 0\.3 s$/,
  },
  {
    attack: 'connection-limit',
    examination: { isTooMany: true },
    seen: /^all were taken$/,
  },
  {
    attack: 'request-smuggling',
    examination: { answerTime: 1_000 },
    options: { insecureHTTPParser: true },
    seen: /^405 .* then 200 \{"status":"ok"/,
  },
  {
    attack: 'request-smuggling',
    examination: impatient,
    hole: answering(urlHas('/_fake/health'), response => {
      if (!shown.includes('poison'))
        return void response.end('{"status":"ok","version":"0"}', () => shown.push('poison'));
      response.writeHead(200, { 'Content-Length': 2 }).end('{}');
    }),
    options: { insecureHTTPParser: true },
    seen: /^200 \{\} then 200 \{\}/,
  },
  {
    attack: 'path-traversal',
    hole: answering(urlHas('passwd'), saying(200, 'root:x:0:0:root:/root:/bin/sh')),
    seen: /^200 root:x:0:0/,
  },
  {
    attack: 'path-traversal',
    hole: answering(
      ({ url, method }) => url === '/_fake/v1/sandboxes' && method === 'POST' && shown.push('made') > 2,
      saying(201, '{}'),
    ),
    seen: /^201 \{\}$/,
  },
  { attack: 'prototype-names', hole: answering(urlHas('__proto__'), saying(500, 'oops')), seen: /^500 oops$/ },
  {
    attack: 'prototype-names',
    hole: answering(
      ({ url, method }) => method === 'GET' && /\/faults$/.test(url ?? ''),
      saying(200, '{"doctorWasHere":"yes"}'),
    ),
    seen: /^200 \{"doctorWasHere":"yes"\}$/,
  },
  {
    attack: 'header-injection',
    hole: answering(
      urlHas('%0D%0A'),
      raw(({ url }) => `Location: ${decodeURIComponent(url ?? '')}`),
    ),
    seen: /^200 X-Doctor-Split: yes/,
  },
  {
    attack: 'request-ids',
    hole: answering(
      ({ headers }) => headers['x-request-id']?.includes('%0D%0A') === true,
      raw(({ headers }) => `X-Request-Id: ${decodeURIComponent(String(headers['x-request-id']))}`),
    ),
    seen: /^200 X-Doctor-Split: yes$/,
  },
  {
    attack: 'request-ids',
    hole: answering(
      ({ headers }) => headers['x-request-id'] !== undefined,
      raw(({ headers }) => `X-Request-Id: ${String(headers['x-request-id'])}\u0001`),
    ),
    seen: /^200 X-Request-Id: .*\\u\{1\}$/,
  },
  {
    attack: 'deep-json',
    hole: (request, _, fake) =>
      Number(request.headers['content-length']) > 90_000 ? request.socket.destroy() : fake(),
    seen: /^the connection was closed without an answer$/,
  },
  { attack: 'huge-numbers', hole: answering(urlHas('1e999'), saying(500, 'oops')), seen: /^500 oops$/ },
  {
    attack: 'pattern-bomb',
    examination: impatient,
    hole: (request, _, fake) => (urlHas('/journal/verify')(request) ? undefined : fake()),
    seen: /^there was no answer within 0\.3 s$/,
  },
  {
    attack: 'secrets',
    after: ['deep-json', 'huge-numbers'],
    hole: (request, response, fake) => {
      const { authorization = '' } = request.headers;
      if (authorization !== '') shown.push(authorization);
      if (request.url?.endsWith('/journal')) response.end(JSON.stringify({ entries: shown }));
      else fake();
    },
    seen: /^200 …/,
  },
  {
    attack: 'secrets',
    hole: (request, response, fake) => {
      if (request.url?.includes('?pwd=')) shown.push(request.url);
      if (request.url?.endsWith('/journal')) response.end(JSON.stringify({ entries: shown }));
      else fake();
    },
    seen: /^200 ….*\?pwd=doctor-password-/,
  },
  { attack: 'plain-http', tls: 'or-plain', seen: /^200 \{"status":"ok"/, sound: { tls: 'only' } },
  {
    attack: 'slow-headers',
    examination: quick,
    options: { headersTimeout: 0, requestTimeout: 0 },
    seen: /^not closed within 0\.3 s$/,
    sound: { options: closing },
  },
  {
    attack: 'slow-body',
    examination: quick,
    options: { requestTimeout: 0 },
    seen: /^not closed within 0\.3 s$/,
    sound: { options: closing },
  },
  {
    attack: 'silent-connection',
    examination: quick,
    options: { headersTimeout: 0, requestTimeout: 0 },
    seen: /^not closed within 0\.3 s$/,
    sound: { options: closing },
  },
  {
    attack: 'error-details',
    hole: answering(urlHas('add-users'), response => response.writeHead(400).end(new Error('oops').stack)),
    seen: /^400 with a stack trace: Error: oops\\n/,
  },
  {
    attack: 'error-details',
    hole: answering(urlHas('add-users'), saying(400, 'Cannot read /home/me/fake/small-team.yaml')),
    seen: /^400 with a path of the machine/,
  },
  {
    attack: 'error-details',
    hole: (_, response, fake) => {
      response.setHeader('X-Powered-By', 'Node.js/20.20.2');
      fake();
    },
    seen: /with a version of Node/,
  },
  { attack: 'server-errors', hole: answering(urlHas('add-users'), saying(500, 'oops')), seen: /^500 oops$/ },
];

describe('the doctor and broken servers', function () {
  this.timeout(30_000);

  it('has a hole for each attack', () => {
    const tried = new Set(rows.map(({ attack }) => attack));
    expect(attackNames.filter(name => !tried.has(name))).to.deep.equal([]);
    expect(new Set(attackNames).size).to.equal(attackNames.length);
  });

  for (const { attack, after = [], examination = {}, seen, sound, isSeenByOne, ...broken } of rows) {
    it(`finds the hole of ${attack}${isSeenByOne ? ' by no other attack' : ''}: ${String(seen)}`, async () => {
      shown.length = 0;
      const server = await standIn(isSeenByOne ? { ...broken, flags: { ...smallSandboxes, ...broken.flags } } : broken);
      try {
        const only = isSeenByOne ? quickAttacks : [...after, attack];
        const { verdicts, left } = await examined(server.url, { only, ...examination });
        const verdict = isSeenByOne ? verdicts.find(one => one.attack.name === attack) : verdicts.at(-1);
        expect([verdict?.attack.name, verdict?.judgement], verdict?.says).to.deep.equal([attack, 'open']);
        expect(verdict?.trials.find(({ isOpen }) => isOpen)?.seen).to.match(seen);
        expect(left).to.equal(undefined);
        const others = verdicts.filter(({ judgement }) => judgement !== 'passed' && judgement !== 'not applicable');
        if (isSeenByOne) expect(others.map(one => one.attack.name)).to.deep.equal([attack]);
      } finally {
        await server.stop();
      }
    });
    if (sound === undefined) continue;
    it(`reports nothing for ${attack} without the hole`, async () => {
      const server = await standIn(sound);
      try {
        const [verdict] = (await examined(server.url, { only: [attack], ...examination })).verdicts;
        expect(verdict?.judgement, verdict?.says).to.equal('passed');
      } finally {
        await server.stop();
      }
    });
  }
});

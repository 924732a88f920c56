// Other servers that break HTTP: what a fallback passes on of their responses, and that the process survives all of them.
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { silentLog } from '../../../server/engine/log.js';
import { start } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';
import { entriesIn, listening, send } from '../../support/wire/server.js';

type Responding = string | ((socket: Socket) => void);

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const repeat = (text: string) => (socket: Socket) => {
  const write = () => {
    if (!socket.destroyed) socket.write(text, () => setImmediate(write));
  };
  write();
};

/** By title: what the other server sends, and the status and the reason that the client gets. */
const cases: Readonly<Record<string, readonly [response: Responding, status: number, reason?: RegExp]>> = {
  'the status 000': ['HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n', 502],
  'a control character in a header': ['HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 0\r\n\r\n', 502],
  'UTF-8 in a header': ['HTTP/1.1 200 OK\r\nX-A: Größe\r\nContent-Length: 2\r\n\r\nok', 200],
  '101 ignoredCaller': ['HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello', 502, /101/],
  'endless 100': [repeat('HTTP/1.1 100 Continue\r\n\r\n'), 502, /100 Continue, although/],
  'endless 103': [repeat('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 502, /more than 20 interim/],
  'three 1xx before the response': [`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)}${OK}`, 200],
  'a head byte by byte': [
    socket => {
      const timer = setInterval(() => socket.write('H'), 100);
      socket.write('HTTP/1.1 200 OK\r\nX-A: ');
      socket.on('close', () => clearInterval(timer));
    },
    504,
    /did not respond within 0\.5 s/,
  ],
  'no response': [() => {}, 504, /did not respond within 0\.5 s/],
  '204 with a length': ['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', 204],
  '304 with a length': ['HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', 304],
  'two lengths': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok', 502, /not HTTP/],
  'another protocol': ['SSH-2.0-OpenSSH_9.6\r\n', 502, /not HTTP/],
  'a body without a length': [socket => socket.end('HTTP/1.0 200 OK\r\n\r\nok'), 200],
  'a text that is not packed as its head says': [
    'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello',
    502,
    /sent an unusable response/,
  ],
  'a text that ends within a link': [
    socket => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nhttp:'),
    502,
    /broke off its response/,
  ],
  'no bytes': [socket => socket.end(), 502, /closed without a response/],
};

describe('an upstream that breaks HTTP', () => {
  const closing: Array<() => unknown> = [];
  after(async () => {
    for (const close of closing.reverse()) await close();
  });
  let serverResponse: Responding = OK;
  const sockets = new Set<Socket>();
  const bases: Record<string, string> = {};

  before(async () => {
    const server = createServer(socket => {
      sockets.add(socket);
      socket.on('error', () => {}); // the fake may end it
      socket.once('data', () =>
        typeof serverResponse === 'string' ? socket.write(serverResponse) : serverResponse(socket),
      );
    });
    const target = await listening(server);
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const fallback = (seconds: string) =>
      settingsFrom('small-team', { port: '0', fallback: target, 'fallback-timeout': seconds });
    const settings = { fallback: fallback('0.5'), hasty: fallback('0.1') };
    for (const [name, own] of Object.entries(settings)) {
      const fake = await start(own, silentLog);
      if (isProblems(fake)) throw new Error(JSON.stringify(fake.problems));
      closing.push(() => fake.stop());
      bases[name] = fake.url;
    }
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });

  for (const [title, [response, status, reason]] of Object.entries(cases))
    it(`${status}: ${title}`, async () => {
      serverResponse = response;
      const { status: got, json, text } = await send(`${bases.fallback}/other`, { redirect: 'manual' });
      expect(got).to.equal(status);
      if (status === 200) expect(text).to.equal('ok');
      if (reason !== undefined) expect(json).to.have.property('detail').that.match(reason);
      expect((await send(`${bases.fallback}/_fake/health`)).status).to.equal(200);
    });

  it('answers HEAD without a body, whatever the other server sends', async () => {
    serverResponse = OK;
    const { status, text } = await send(`${bases.fallback}/other`, { method: 'HEAD' });
    expect({ status, text }).to.deep.equal({ status: 200, text: '' });
  });

  it('breaks off a response that never ends', async () => {
    serverResponse = socket => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      repeat('1\r\na\r\n')(socket);
    };
    const began = await fetch(`${bases.hasty}/other`);
    expect(began.status).to.equal(200);
    const end = await began.text().catch((error: unknown) => error);
    expect(end).to.be.an('error');
    const entries = await entriesIn({ url: bases.hasty ?? '' });
    expect(entries.at(-1)?.forwarded?.problem).to.match(/did not (?:complete its response|answer) within \d/); // a busy machine may miss a piece
  });
});

// The attacks that would fill a server or keep it busy, all at once beside ordinary requests, for as many requests as are asked for. Tells the largest
// memory, the longest wait of a bystander, and every 5xx that nobody asked for.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { watch } from '../harness/bystander.js';
import { builtScript } from '../harness/places.js';
import type { Table } from '../harness/table.js';

const MAX_MEMORY = 256;
/** What the process takes besides, in MiB. */
const BESIDES = 150;
const MAX_WAIT_MS = 400;
const LANES = 8;
const OPERATIONS = '/rest/cwxapiextension/latest';
const PUSH = '/rest/cwx-ppf/latest/push';

export interface Pressure {
  readonly table: Table;
  readonly problems: readonly string[];
}

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `requests`: ordinary ones, beside which the attacks go on. */
export async function pressure(requests: number, say: (line: string) => void): Promise<Pressure> {
  const { child, port } = await started();
  const bystander = await watch(`http://127.0.0.1:${port}`, '/_fake/health');
  const under = new UnderPressure(port, requests, child.pid ?? 0);
  const attackers = [endlessPacking, unreadSmall, unreadLarge, hardSearch, growth, manySandboxes, foreignPages];
  await Promise.all([
    under.watchMemory(),
    ...Array.from({ length: LANES }, (_, lane) => under.ordinary(lane, say)),
    ...attackers.map(attacker => attacker(under)),
  ]);
  const longest = await bystander.stop();
  child.kill('SIGTERM');
  return under.report(longest);
}

async function started(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const flags = ['--port', '0', '--log', 'silent', '--max-memory', String(MAX_MEMORY)];
  const child = spawn(process.execPath, [builtScript('server/cli.js'), 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk);
    const port = /listening on http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
  }
  throw new Error(`the server under pressure did not start: ${said}`);
}

class UnderPressure {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #statuses = new Map<string, number>();
  readonly #problems: string[] = [];
  #asked = 0;
  #unread = 0;
  #peak = 0;

  constructor(
    readonly port: number,
    private readonly requests: number,
    private readonly pid: number,
  ) {}

  get isOver(): boolean {
    return this.#asked >= this.requests || this.#problems.length > 20;
  }

  async ordinary(lane: number, say: (line: string) => void): Promise<void> {
    for (let i = 0; !this.isOver; i += 1) {
      this.#asked += 1;
      if (this.#asked % 1_000 === 0)
        say(`${this.#asked} ordinary requests, at most ${mebibytes(this.#peak)} of memory`);
      const verb = i % 2 === 0 ? 'add' : 'remove';
      const body = '{"group":"customers","users":["alice","carol"]}';
      await this.ask('ordinary', { path: `/~lane-${lane}${OPERATIONS}/groups/${verb}-users`, body }, [200]);
    }
  }

  /** Asks once; another status than those allowed is a problem. */
  async ask(kind: string, asked: Asked, allowed: readonly number[]): Promise<void> {
    const status = await this.#sent(asked);
    const counted = `${kind} ${status}`;
    this.#statuses.set(counted, (this.#statuses.get(counted) ?? 0) + 1);
    if (!allowed.includes(status))
      this.#problems.push(`${kind}: ${asked.method ?? 'POST'} ${asked.path} was answered ${status}`);
  }

  /** Requests of attackers who read no answer. */
  sendUnread(count: number): void {
    this.#unread += count;
  }

  async watchMemory(): Promise<void> {
    while (!this.isOver) {
      const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]);
      this.#peak = Math.max(this.#peak, kilobytes * 1024);
      await sleep(50);
    }
  }

  report(longest: number): Pressure {
    this.#agent.destroy();
    if (this.#peak > (MAX_MEMORY + BESIDES) * 2 ** 20)
      this.#problems.push(`it took ${mebibytes(this.#peak)}, more than ${MAX_MEMORY} + ${BESIDES} MiB`);
    if (longest > MAX_WAIT_MS)
      this.#problems.push(`a bystander waited ${Math.round(longest)} ms, more than ${MAX_WAIT_MS} ms`);
    const statuses = [...this.#statuses].sort(([a], [b]) => a.localeCompare(b));
    const rows = [
      ['ordinary requests', this.#asked.toLocaleString('en-US')],
      ['requests of those who read no answer, at most', this.#unread.toLocaleString('en-US')],
      [`most memory, with --max-memory ${MAX_MEMORY}`, mebibytes(this.#peak)],
      ['longest wait of a bystander', `${Math.round(longest)} ms`],
      ...statuses.map(([kind, times]) => [`answers: ${kind}`, times.toLocaleString('en-US')]),
    ];
    const note = 'Ordinary requests over eight connections, and seven attacks that go on all the while.';
    return { table: { title: 'Under pressure', note, columns: ['what', 'measured'], rows }, problems: this.#problems };
  }

  #sent({ path, method = 'POST', body = '', headers = {} }: Asked): Promise<number> {
    return new Promise(resolve => {
      const sent = { 'Content-Type': 'application/json', Authorization: 'Basic YWRtaW46YWRtaW4=', ...headers };
      const length = headers['Transfer-Encoding'] === undefined ? { 'Content-Length': Buffer.byteLength(body) } : {};
      const options = { port: this.port, agent: this.#agent, path, method, headers: { ...sent, ...length } };
      const asking = request(options, answer => {
        answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
      });
      asking.once('error', () => resolve(0)).end(body);
    });
  }
}

type Attacker = (under: UnderPressure) => Promise<void>;

/** 0: the connection was closed, which an attacker may expect. */
const repeatedly =
  (once: (under: UnderPressure, i: number) => Promise<void>, pause = 20): Attacker =>
  async under => {
    for (let i = 0; !under.isOver; i += 1) {
      await once(under, i);
      await sleep(pause);
    }
  };

const packed = Buffer.alloc(2 ** 22, gzipSync(''));
const endlessPacking = repeatedly(under =>
  under.ask(
    'endless packing',
    {
      path: `${OPERATIONS}/groups/add-users`,
      body: packed,
      headers: { 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' },
    },
    [0, 413],
  ),
);

const unreadSmall = repeatedly(under =>
  unread(under, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${under.port}\r\n\r\n`, 50_000),
);

const names = JSON.stringify({
  users: Array.from({ length: 9_000 }, (_, i) => `${i}${'x'.repeat(95)}`),
  filters: [10500],
});
const unreadLarge = repeatedly(under =>
  unread(
    under,
    `POST ${PUSH} HTTP/1.1\r\nHost: 127.0.0.1:${under.port}\r\nAuthorization: Basic YWRtaW46YWRtaW4=\r\nContent-Type: application/json\r\nContent-Length: ${names.length}\r\n\r\n${names}`,
    16,
  ),
);

/** Sends a request so often, reads nothing, and leaves. */
async function unread(under: UnderPressure, bytes: string, times: number): Promise<void> {
  under.sendUnread(times);
  const socket = connect(under.port, '127.0.0.1').on('error', () => {});
  socket.pause();
  socket.write(bytes.repeat(times));
  await sleep(1_000);
  socket.destroy();
}

const SEARCH = '/~search';
const hardSearch = repeatedly(async (under, i) => {
  if (i % 50 === 0) {
    const pages = { 70000: { space: 'ds', title: 'search', body: 'a'.repeat(1_000_000) } };
    await under.ask('a page to search', { path: '/_fake/v1/sandboxes', body: '{"name":"search"}' }, [201, 409]);
    await under.ask(
      'a page to search',
      { path: '/_fake/v1/sandboxes/search/world', method: 'PATCH', body: JSON.stringify({ pages }) },
      [204, 404, 507],
    );
  }
  const oldText = `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}`;
  const path = `${SEARCH}${OPERATIONS}/spaces/replaceInPage?spaceKey=ds&pageTitle=search`;
  await under.ask('a hard search', { path, body: JSON.stringify([{ oldText, newText: '' }]) }, [200, 404, 413]);
});

const growth = repeatedly((under, i) => {
  const pages = {
    [80_000 + (i % 400)]: { space: 'ds', title: `growth ${i % 400}`, body: `${i}${'y'.repeat(900_000)}` },
  };
  const path = '/_fake/v1/sandboxes/default/world';
  return under.ask('growth', { path, method: 'PATCH', body: JSON.stringify({ pages }) }, [204, 507]);
}, 5);

const large = JSON.stringify({ group: 'customers', users: ['z'.repeat(1_000_000)] });
const manySandboxes = repeatedly(
  (under, i) =>
    under.ask('bodies for new sandboxes', { path: `/~crowd-${i}${OPERATIONS}/groups/add-users`, body: large }, [404]),
  5,
);

const foreignPages = repeatedly((under, i) =>
  under.ask(
    'a foreign page',
    {
      path: `/~foreign-${i}${OPERATIONS}/groups/add-users`,
      method: 'GET',
      headers: { Origin: 'https://elsewhere.example' },
    },
    [403],
  ),
);

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

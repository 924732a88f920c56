// Three servers on one Redis, all used at once, while Redis and one of them hang and are killed: every response is checked.
// LINEARIZABLE=100000 runs so many requests through each server, LINEARIZABLE_SEED repeats a run, STORE_ENGINE=valkey-server tests Valkey.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { WorldForm } from '../../server/domain/form/form-shapes.js';
import { type Random, randomOf } from '../../server/engine/faults/random.js';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import { built } from '../support/processes/built.js';
import { endAll, type Launched, launch } from '../support/processes/command-line.js';
import { DURABLE, hasRedis, RedisServer } from '../support/redis/redis-servers.js';
import { type Cells, type Change, check, type Entry, type Operation } from './check.js';

const TOTAL = Number(process.env.LINEARIZABLE ?? 300);
const SEED = Number(process.env.LINEARIZABLE_SEED ?? Date.now() % 1_000_000);
/** Requests through each server in one sandbox. */
const ROUND = 300;
const LANES = 4;
const SERVERS = 3;

/** Under these readings every response shows whether the change was done. */
const readings = ['--reading', 'replace-not-found=404', '--reading', 'sidebar-duplicate=replace'];

const REST = '/rest/cwxapiextension/latest/spaces';
const PAGE = { id: '65601', space: 'ds', title: 'Welcome' };
const LINKS = ['a', 'b'];

type Round = ReturnType<typeof roundOf>;

/** One sandbox, which clients of all servers use at once. */
function roundOf(sandbox: string, urls: () => readonly string[], initial: Cells) {
  const operations: Operation[] = [];
  let cells = initial;
  let clock = 0;
  const tick = () => {
    clock += 1;
    return clock;
  };
  const control = async (server: number, path: string) => {
    const response = await fetch(`${urls()[server]}/_fake/v1/sandboxes/${sandbox}${path}`);
    if (response.status !== 200) throw new Error(`${path} gave ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const cellsAt = async (server: number): Promise<Cells> => {
    const { pages, spaces } = (await control(server, '/world')) as WorldForm;
    const links = LINKS.map(name => [name, spaces[PAGE.space]?.sidebar.find(({ label }) => label === name)?.url ?? '']);
    return { ...Object.fromEntries(links), page: (pages[PAGE.id]?.body ?? '').replace(/^<p>|<\/p>$/g, '') };
  };

  async function read(server: number): Promise<void> {
    const [tag, began] = [`r${operations.length}`, tick()];
    cells = await cellsAt(server);
    operations.push({ tag, began, ended: tick(), cells });
  }

  /** A request without a clear response may have been done. */
  async function write(server: number, change: Change): Promise<void> {
    const [tag, began] = [`w${tick()}`, tick()];
    const asked = { tag, change, began };
    const place = operations.push(asked) - 1;
    const [path, body] =
      change.cell === 'page'
        ? [
            `replaceInPage?spaceKey=${PAGE.space}&pageTitle=${PAGE.title}&`,
            [{ oldText: change.from, newText: change.to }],
          ]
        : ['add-sidebar-link?', { spaceKey: PAGE.space, label: change.cell, url: change.to }];
    const response = await fetch(`${urls()[server]}/~${sandbox}${REST}/${path}n=${tag}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { status } = response;
    const text = await response.text();
    if (status === 503) throw new Error(`${tag} gave 503: ${text}`);
    expect(status, text).to.be.oneOf([200, 404]);
    const entry = Number(response.headers.get('x-request-id')?.slice(sandbox.length + 1));
    operations[place] = { ...asked, ended: tick(), entry, isDone: status === 200 };
  }

  return {
    /** Requests of one client, one after the other: so many, and up to three times as many while there is trouble. */
    async lane(server: number, count: number, random: Random, isTrouble: () => boolean): Promise<void> {
      for (let i = 0; i < count || (i < 3 * count && isTrouble()); i += 1) {
        const cell = [...LINKS, 'page', 'page'][random(4)] ?? '';
        const to = `v${server}.${tick()}.`; // never a part of another: a replacement looks for it within the text
        const change = cell === 'page' ? { cell, from: cells.page ?? '', to } : { cell, to };
        const isDone = await (random(4) === 0 ? read(server) : write(server, change)).then(() => true, isGone);
        if (!isDone) await pause(20);
      }
    },
    /** What all servers say at the end; the findings of the check. */
    async findings(): Promise<readonly string[]> {
      const journals = await Promise.all(
        urls().map(async (_, server) => {
          const journal = (await control(server, '/journal')) as { entries: readonly JournalEntry[]; evicted: number };
          expect(journal.evicted, 'entries are missing').to.equal(0);
          await read(server);
          return journal.entries.map(entryOf);
        }),
      );
      for (const other of journals) expect(other).to.deep.equal(journals[0]);
      return check(initial, operations, journals[0] ?? []);
    },
    operations,
    cellsAt,
  };
}

function entryOf({ id, url, response, before, version }: JournalEntry): Entry {
  const tag = new URLSearchParams(url.split('?')[1]).get('n') ?? '';
  return { id, tag, isDone: response.status === 200, before, version };
}

/** A server or its store is away at present. Anything else is an error of this test, or a wrong response. */
function isGone(error: unknown): boolean {
  if (error instanceof TypeError || / gave 503: /.test(String(error))) return false;
  throw error;
}

(hasRedis() ? describe : describe.skip)('three servers on one Redis', function () {
  this.timeout(60_000 + 100 * TOTAL);
  let engine: RedisServer;
  const servers: Launched[] = [];
  const start = () => launch(['--store', engine.url, '--journal', '100000', '--log', 'silent', ...readings]);
  const urls = () => servers.map(({ url }) => url);
  before(async () => {
    await built();
    engine = await RedisServer.start({ lines: DURABLE });
    servers.push(...(await Promise.all(Array.from({ length: SERVERS }, start))));
  });
  after(async () => {
    endAll();
    await engine.stop();
  });

  const troubles = [
    async () => {
      engine.pause();
      await pause(200);
      engine.resume();
    },
    async () => {
      await engine.kill9();
      await pause(200);
      await engine.restart();
    },
    async (random: Random) => {
      const victim = servers[random(SERVERS)];
      void victim?.signal('SIGSTOP');
      await pause(200);
      void victim?.signal('SIGCONT');
    },
    async (random: Random) => {
      const victim = random(SERVERS);
      await servers[victim]?.signal('SIGKILL');
      servers[victim] = await start();
    },
  ];

  it(`lose nothing, apply nothing twice and show nothing out of order (seed ${SEED})`, async () => {
    let acknowledged = 0;
    for (let round = 0; round * ROUND < TOTAL; round += 1) {
      const sandbox = `hot-${round}`;
      await fetch(`${servers[0]?.url}/_fake/v1/sandboxes/${sandbox}`, { method: 'PUT' });
      const initial = await roundOf(sandbox, urls, {}).cellsAt(0);
      const one: Round = roundOf(sandbox, urls, initial);
      let isTrouble = true;
      const lanes = Array.from({ length: SERVERS * LANES }, (_, i) =>
        one.lane(i % SERVERS, ROUND / LANES, randomOf(SEED + 100 * round + i), () => isTrouble),
      );
      const random = randomOf(SEED + round);
      const troubled = (async () => {
        for (const trouble of troubles) {
          await pause(100 + random(200));
          await trouble(random);
        }
        isTrouble = false;
      })();
      await Promise.all([...lanes, troubled]);
      const findings = await one.findings();
      expect(findings.slice(0, 5), `${findings.length} in ${sandbox}`).to.deep.equal([]);
      acknowledged += one.operations.filter(({ ended }) => ended !== undefined).length;
    }
    expect(acknowledged).to.be.above(TOTAL);
  });
});

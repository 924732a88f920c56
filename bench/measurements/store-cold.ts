// How long a replica that has just started takes for its first request to a sandbox that others have made: small, with a long log, with the heaviest log
// that there can be, and on a world of a hundred thousand pages.

import { digits, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { type Program, type Running, start } from '../harness/child.js';
import { authorization, sendToAll } from '../harness/load.js';
import type { Effort } from '../harness/rounds.js';
import { rewritings, violations } from '../harness/sandbox-requests.js';
import { openPlace, type StorePlace } from '../harness/stores.js';
import { fakeWith, memberName, PAGE } from '../harness/world.js';
import { largeOn } from './store-bytes.js';

const MEMBERS = 20_000;
const CHANGES = 10_000;
const REWRITINGS = 2_000;
const TEXT = 10_000;
const STARTS = 3;

interface Case {
  readonly sandbox: string;
  readonly name: string;
  /** Who has to read it. */
  readonly reader: 'small' | 'large';
  readonly times: number[];
}

const cases: ReadonlyArray<Omit<Case, 'times'>> = [
  { sandbox: 'fresh', name: 'no change yet', reader: 'small' },
  { sandbox: 'long', name: `${digits(CHANGES)} facts, each a change`, reader: 'small' },
  { sandbox: 'heavy', name: `${digits(REWRITINGS)} texts of 10 kB`, reader: 'small' },
  { sandbox: 'large', name: '100,000 pages, at a replica that serves that scenario', reader: 'large' },
  { sandbox: 'large', name: '100,000 pages, at a replica that serves another', reader: 'small' },
];

export async function storeCold({ isQuick, say }: Effort): Promise<Table> {
  const [small, large] = await Promise.all([openPlace('redis'), openPlace('redis')]);
  const places = { small, large };
  try {
    const programs = { small: smallOn(small), large: largeOn(large.flags) };
    await prepare(programs, largeOn(small.flags));
    const measured = cases.map((one): Case => ({ ...one, times: [] }));
    const ready = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < (isQuick ? 1 : STARTS); round += 1) {
      for (const { sandbox, name, reader, times } of measured) {
        const replica = await start(programs[reader]);
        try {
          await firstResponse(replica, 'default'); // so that what is measured is the sandbox, and not the loading of code
          times.push(await firstResponse(replica, sandbox));
          ready[reader].push(replica.readyAfter);
          say(`cold, ${name}: ${digits(times.at(-1) ?? 0)} ms`);
        } finally {
          await replica.stop();
        }
      }
    }
    const rows = measured.map(async ({ sandbox, name, reader, times }) => {
      return [name, spread(times), await logOf(sandbox, places[reader])];
    });
    return tableOf(await Promise.all(rows), ready);
  } finally {
    await Promise.all([small.end(), large.end()]);
  }
}

function smallOn(place: StorePlace): Program {
  const program = fakeWith(MEMBERS, 0, [...place.flags, '--log', 'silent'], 'a'.repeat(TEXT));
  return { ...program, processor: 'any' };
}

/** Other replicas make what the cold ones find. `other`: serves the large scenario beside those that serve the small one. */
async function prepare({ small, large }: Readonly<Record<Case['reader'], Program>>, other: Program): Promise<void> {
  await by(small, async ({ url }) => {
    await firstResponse({ url }, 'fresh');
    await exactly(url, violations(['long'], CHANGES, memberName), CHANGES);
    const texts = ['a', 'b'].map(letter => letter.repeat(TEXT));
    await exactly(url, rewritings('heavy', PAGE, texts), REWRITINGS);
  });
  for (const program of [large, other])
    await by(program, async replica => {
      await firstResponse(replica, 'large');
    });
}

async function by(program: Program, act: (replica: Running) => Promise<void>): Promise<void> {
  const replica = await start(program);
  try {
    await act(replica);
  } finally {
    await replica.stop();
  }
}

async function exactly(url: string, requests: string, count: number): Promise<void> {
  const { errors } = await sendToAll([url], requests, { count });
  if (errors > 0) throw new Error(`${errors} of ${count} requests failed`);
}

/** Milliseconds of a question in a sandbox. */
async function firstResponse({ url }: Pick<Running, 'url'>, sandbox: string): Promise<number> {
  const path = `/~${sandbox}/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=free&spaceName=Free`;
  const began = performance.now();
  const answered = await fetch(`${url}${path}`, { method: 'POST', headers: { authorization } });
  await answered.arrayBuffer();
  const took = performance.now() - began;
  if (answered.status !== 200) throw new Error(`${sandbox} was answered ${answered.status}`);
  return took;
}

/** How long a log is, and how many bytes its keys take. */
async function logOf(sandbox: string, { engines: [engine] }: StorePlace): Promise<string> {
  const keys = ['b', 'e', 'n'].map(kind => `cwx:{${sandbox}}:${kind}`);
  const bytes = await Promise.all(keys.map(key => engine?.cli('memory', 'usage', key, 'SAMPLES', '0')));
  const entries = await engine?.cli('llen', `cwx:{${sandbox}}:e`);
  const all = bytes.reduce((sum, one) => sum + Number(one || 0), 0); // no key, no bytes
  return `${digits(Number(entries))} entries, ${digits(all / 1000)} kB`;
}

function tableOf(rows: ReadonlyArray<readonly string[]>, ready: Readonly<Record<Case['reader'], number[]>>): Table {
  const ms = 'least / median / greatest';
  return {
    title: 'A cold replica',
    note: `A fresh replica each time, which has answered one request to \`default\` before; others have made all of it. Log: what compaction has left in Redis of all that happened. From start to ready line, ${ms}: ${spread(ready.small)} ms with a small world, ${spread(ready.large)} ms with 100,000 pages.`,
    columns: ['sandbox', `first response, ${ms} ms`, 'log'],
    rows,
  };
}

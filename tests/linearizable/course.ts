// Many clients at once on a few hot sandboxes, through several replicas, with failures from time to time.
import { type Random, randomOf } from '../../server/engine/faults/random.js';
import type { Change } from './checking/cell.js';
import type { Asked, Cells } from './checking/history.js';
import { Recorder } from './recorder.js';
import { cellNames } from './replicas/asked.js';
import { type Client, NotAsked, type Replica } from './replicas/replica.js';

export interface Course {
  readonly seed: number;
  readonly replicas: readonly Replica[];
  /** Operations through each replica. */
  readonly operations: number;
  /** Clients of each replica; each sends one request at a time. */
  readonly lanes: number;
  /** The initial values of the cells. */
  readonly sandboxes: ReadonlyMap<string, Cells>;
  /** The failures, each after a share of all operations. */
  readonly troubles?: ReadonlyArray<{ readonly at: number; readonly happens: () => Promise<void> }>;
  /** Milliseconds between two reads of a journal. */
  readonly pause?: number;
}

/** Milliseconds before an unreachable replica is tried again. */
const AGAIN_MS = 20;
/** Attempts to read from a replica at the end. */
const MAX_TRIES = 500;

export async function run(course: Course): Promise<Recorder> {
  const recorder = new Recorder(course.sandboxes);
  const traffic = new Traffic(course, recorder);
  const troubles = following(course, recorder);
  const reader = new JournalReader(course, recorder);
  const reading = reader.follow();
  const lanes = course.replicas.flatMap((replica, r) =>
    Array.from({ length: course.lanes }, (_, lane) => traffic.lane(replica, r, lane)),
  );
  try {
    await Promise.all(lanes);
    await troubles();
  } finally {
    reader.isOver = true;
  }
  await reading;
  for (const replica of course.replicas) await lastReads(course, recorder, reader, replica);
  return recorder;
}

class Traffic {
  readonly #left: number[];
  /** The latest values seen: a swap from any other one seldom succeeds. */
  readonly #seen = new Map<string, string>();
  #values = 0;

  constructor(
    private readonly course: Course,
    private readonly recorder: Recorder,
  ) {
    this.#left = course.replicas.map(() => course.operations);
    for (const [sandbox, cells] of course.sandboxes) this.#look(sandbox, cells);
  }

  async lane(replica: Replica, r: number, lane: number): Promise<void> {
    const { seed, sandboxes } = this.course;
    const random = randomOf(seed * 1000 + r * 100 + lane);
    const by = `lane ${lane + 1} at ${replica.name}`;
    const names = [...sandboxes.keys()];
    const client = replica.client();
    for (let left = this.#take(r); left; left = this.#take(r)) {
      await replica.up();
      const sandbox = names[random(names.length)] ?? '';
      try {
        await this.#ask(client, sandbox, by, this.#asked(sandbox, random));
      } catch (error) {
        if (!(error instanceof NotAsked)) throw error;
        this.#left[r] = (this.#left[r] ?? 0) + 1;
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
      }
    }
    client.close();
  }

  #take(r: number): boolean {
    const left = this.#left[r] ?? 0;
    this.#left[r] = left - 1;
    return left > 0;
  }

  async #ask(client: Client, sandbox: string, by: string, asked: Asked): Promise<void> {
    const { recorder } = this;
    if ('cell' in asked) {
      const response = await recorder.record(sandbox, by, asked, tag => client.change(sandbox, asked, tag));
      if (asked.kind === 'swap' && response?.kind === 'done') this.#seen.set(`${sandbox} ${asked.cell}`, asked.to);
    } else if (asked.kind === 'look') {
      const response = await look(recorder, client, sandbox, by);
      if (response !== undefined) this.#look(sandbox, response.cells);
    } else {
      const ask = async () =>
        ({
          kind: 'number',
          number: await (asked.kind === 'count' ? client.version(sandbox) : client.latest(sandbox)),
        }) as const;
      await recorder.record(sandbox, by, asked, ask);
    }
  }

  #look(sandbox: string, cells: Cells): void {
    for (const [cell, value] of cells) this.#seen.set(`${sandbox} ${cell}`, value);
  }

  #asked(sandbox: string, random: Random): Asked {
    const chance = random(100);
    if (chance < 78) return this.#change(sandbox, random);
    return { kind: chance < 92 ? 'look' : chance < 96 ? 'count' : 'recall' };
  }

  /** Each written value is new, except for memberships. */
  #change(sandbox: string, random: Random): Change {
    const cell = cellNames[random(cellNames.length)] ?? '';
    if (cell.startsWith('member'))
      return random(2) === 0
        ? { kind: 'swap', cell, from: 'out', to: 'in' }
        : { kind: 'swap', cell, from: 'in', to: 'out' };
    this.#values += 1;
    const value = `v${this.#values}.`;
    if (cell.startsWith('link')) return { kind: 'write', cell, value };
    const seen = this.#seen.get(`${sandbox} ${cell}`) ?? '';
    return { kind: 'swap', cell, from: random(20) === 0 ? `v${1 + random(this.#values)}.` : seen, to: value };
  }
}

/** Reads the journals again and again, on alternating replicas, so that no entry is dropped before it is read. */
class JournalReader {
  isOver = false;
  readonly #random: Random;
  readonly #last = new Map<string, number>();

  constructor(
    private readonly course: Course,
    private readonly recorder: Recorder,
  ) {
    this.#random = randomOf(course.seed);
  }

  async follow(): Promise<void> {
    const { replicas, sandboxes, pause = 200 } = this.course;
    const clients = replicas.map(replica => replica.client());
    while (!this.isOver) {
      for (const sandbox of sandboxes.keys()) {
        const r = this.#random(replicas.length);
        const client = clients[r];
        if (client !== undefined) await this.read(sandbox, client, replicas[r]?.name ?? '').catch(passOver);
      }
      await new Promise(resolve => setTimeout(resolve, pause));
    }
    for (const client of clients) client.close();
  }

  /** Some entries are read twice, to check that all replicas return the same. */
  async read(sandbox: string, client: Client, name: string): Promise<void> {
    const since = Math.max(0, (this.#last.get(sandbox) ?? 0) - 50);
    await this.recorder.record(sandbox, `the reader of journals at ${name}`, { kind: 'recall' }, async () => {
      const entries = await client.entries(sandbox, since);
      this.recorder.write(sandbox, entries);
      const number = entries.at(-1)?.id ?? since;
      this.#last.set(sandbox, Math.max(number, this.#last.get(sandbox) ?? 0));
      return { kind: 'number', number } as const;
    });
  }
}

async function lastReads({ sandboxes }: Course, recorder: Recorder, reader: JournalReader, replica: Replica) {
  await replica.up();
  const client = replica.client();
  for (const sandbox of sandboxes.keys()) {
    await reader.read(sandbox, client, replica.name);
    for (
      let tries = 0;
      (await look(recorder, client, sandbox, `the end at ${replica.name}`)) === undefined;
      tries += 1
    ) {
      if (tries === MAX_TRIES) throw new Error(`${replica.name} does not show ${sandbox} at the end`);
      await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
    }
  }
  client.close();
}

function look(recorder: Recorder, client: Client, sandbox: string, by: string) {
  return recorder.record(sandbox, by, { kind: 'look' }, async () => ({
    kind: 'cells' as const,
    cells: await client.cells(sandbox),
  }));
}

/** Starts each failure at its time; the returned function waits until the last one is over. */
function following({ troubles = [], operations, replicas }: Course, recorder: Recorder): () => Promise<void> {
  const total = operations * replicas.length;
  const pending = [...troubles].sort((a, b) => a.at - b.at);
  const happening: Promise<void>[] = [];
  const timer = setInterval(() => {
    for (let next = pending[0]; next !== undefined && recorder.count >= next.at * total; next = pending[0]) {
      pending.shift();
      happening.push(next.happens());
    }
  }, 5);
  return async () => {
    clearInterval(timer);
    await Promise.all(happening);
    if (pending.length > 0) throw new Error(`${pending.length} troubles never happened`);
  };
}

function passOver(error: unknown): void {
  if (!(error instanceof NotAsked)) throw error;
}

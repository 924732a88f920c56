// Appends to logs: one at a time for each log, recognized when retried, and with backoff if others are faster too often.

import { randomBytes } from 'node:crypto';
import { realTime } from '../../engine/real-time.js';
import { type Appended, type Head, StoreError } from '../../engine/store.js';
import { type Deadline, deadlineIn, type Outcome } from './connection/attempts.js';
import { Backoff } from './connection/backoff.js';
import { headArguments, type LogAccess, recordElement } from './log-access.js';
import { APPEND } from './scripts/log-scripts.js';

export class Appending<Base, Entry> {
  readonly #backoff = new Backoff();
  /** The current append by sandbox. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Unique id of this store among all users of the engine. */
  readonly #writer = randomBytes(8).toString('hex');
  #count = 0;

  constructor(
    private readonly access: LogAccess<Base, Entry>,
    private readonly timeout: number,
  ) {}

  /** A unique id. */
  id(): string {
    this.#count += 1;
    return `${this.#writer}-${this.#count}`;
  }

  /** One at a time: a log remembers only the last append of each writer, which is needed to recognize a retry. */
  async append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    const deadline = deadlineIn(this.timeout);
    const before = this.#underWay.get(sandbox) ?? Promise.resolve();
    const appending = before.then(() => this.#append(sandbox, head, records, deadline));
    const settled = appending.then(ignore, ignore); // the caller gets the error; the next append does not
    this.#underWay.set(sandbox, settled);
    try {
      return await appending;
    } finally {
      if (this.#underWay.get(sandbox) === settled) this.#underWay.delete(sandbox);
    }
  }

  async #append(
    sandbox: string,
    head: Head,
    records: readonly Entry[],
    deadline: Deadline,
  ): Promise<Appended<Base, Entry>> {
    const { format, keys } = this.access;
    const id = this.id();
    const number = String(this.#count);
    const elements = records.map(record => recordElement(id, format.writeRecord(record)));
    for (;;) {
      const turn = String(this.#backoff.wanted(sandbox));
      const writing = [this.#writer, `a:${this.#writer}`, number, id, turn, keys.of(sandbox).channel];
      const args = [...headArguments(head), ...writing, ...elements];
      const outcome = await this.access.run(sandbox, APPEND, { args }, deadline);
      if (outcome[0] !== 'wait') return this.#appended(sandbox, head, records.length, id, outcome, deadline);
      if (realTime.uptime() > deadline.at - deadline.timeout / 10)
        // another try could not be answered in time, so its result would be unknown
        throw new StoreError('busy', `sandbox ${sandbox} was busy with other changes for ${deadline.timeout} ms`);
      await this.#backoff.wait();
    }
  }

  async #appended(
    sandbox: string,
    head: Head,
    count: number,
    id: string,
    outcome: Outcome,
    deadline: Deadline,
  ): Promise<Appended<Base, Entry>> {
    const [how, part, ttl] = outcome;
    if (how === 'gone') return 'gone';
    if (how === 'past') throw new StoreError('away', `a later append to sandbox ${sandbox} was faster`);
    if (how === 'behind') {
      this.#backoff.lost(sandbox);
      return { behind: await this.access.tail(sandbox, outcome, deadline) };
    }
    this.#backoff.won(sandbox);
    this.access.renewed(part, ttl);
    return { head: { ...head, last: head.last + count, id } };
  }
}

function ignore(): void {}

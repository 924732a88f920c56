// Runs scripts on the keys of one log, and converts their refusals to messages.
import { type Format, StoreError, type Tail } from '../../engine/store.js';
import type { Attempts, Deadline, Outcome } from './connection/attempts.js';
import type { Keys } from './connection/key-names.js';
import type { Reply } from './connection/node.js';
import type { Script } from './scripts/script.js';
import type { Parts } from './shared-parts.js';
import { tailOf } from './tails.js';

/** Version of the key layout. */
const LAYOUT = 3;

/** Arguments of a script, without the keys of the log and the format. */
export interface Given {
  readonly args: readonly string[];
  /** Arguments if an earlier try may have succeeded. */
  readonly argsAgain?: readonly string[];
  readonly furtherKeys?: readonly string[];
}

export class LogAccess<Base, Entry> {
  readonly #version: string;

  constructor(
    readonly format: Format<Base, Entry>,
    readonly keys: Keys,
    readonly parts: Parts,
    private readonly attempts: Attempts,
  ) {
    this.#version = `${LAYOUT}.${format.version}`;
  }

  /** Rejects with a `StoreError` also if the log is damaged, or of another format. */
  async run(sandbox: string, script: Script, given: Given, deadline: Deadline): Promise<Outcome> {
    const { tag, all } = this.keys.of(sandbox);
    const { args, argsAgain = args, furtherKeys } = given;
    const work = {
      script,
      keys: furtherKeys === undefined ? all : [...all, ...furtherKeys],
      args: [this.#version, ...args],
      argsAgain: [this.#version, ...argsAgain],
    };
    const outcome = await this.attempts.run(tag, work, deadline);
    if (outcome[0] === 'lost')
      throw new StoreError(
        'lost',
        `sandbox ${sandbox} is damaged: Redis has some of its keys no longer (see maxmemory-policy)`,
      );
    if (outcome[0] === 'format')
      throw new StoreError(
        'format',
        `sandbox ${sandbox} was written by another version of this program: its format is ${String(outcome[1])}, and not ${this.#version}`,
      );
    return outcome;
  }

  /** The answer of a script about a log. */
  async tail(sandbox: string, outcome: Outcome, deadline: Deadline): Promise<Tail<Base, Entry>> {
    const tail = await tailOf(sandbox, this.format, outcome, (name, isShared) =>
      this.parts.read(name, isShared ? undefined : sandbox, deadline),
    );
    this.renewed(outcome.at(-1), tail.ttl);
    return tail;
  }

  /** A script may have extended the expiry of a log: its part follows. */
  renewed(part: Reply, ttl: Reply | undefined): void {
    if (typeof part === 'string' && part !== '' && typeof ttl === 'number') this.parts.renew(part, ttl);
  }
}

// Runs scripts on the keys of one log, and converts their arguments, results and refusals.
import { type Format, StoreError, type Tail } from '../../engine/store.js';
import type { Attempts, Deadline, Outcome } from './connection/attempts.js';
import type { Keys } from './connection/key-names.js';
import type { Reply } from './connection/node.js';
import type { Script } from './connection/scripts.js';
import type { Parts } from './shared-parts.js';

/** Version of the key layout. */
const LAYOUT = 4;

/** The response of a script about a tail, after its outcome. */
type TailResponse = readonly [
  log: string,
  last: number,
  id: string,
  from: number,
  base: number,
  ttl: number | null,
  text: string | null,
  records: readonly string[],
];

/** Arguments of a script, without the keys of the log and the format. */
export interface Given {
  readonly args: readonly string[];
  readonly furtherKeys?: readonly string[];
}

export class LogAccess<Base, Entry> {
  readonly #version: string;

  constructor(
    readonly format: Format<Base, Entry>,
    private readonly keys: Keys,
    private readonly parts: Parts,
    private readonly attempts: Attempts,
  ) {
    this.#version = `${LAYOUT}.${format.version}`;
  }

  /** Rejects with a `StoreError` also if the log is damaged, or of another format. */
  async run(sandbox: string, script: Script, { args, furtherKeys = [] }: Given, deadline?: Deadline): Promise<Outcome> {
    const { tag, all } = this.keys.of(sandbox);
    const work = { script, keys: [...all, ...furtherKeys], args: [this.#version, ...args] };
    const outcome = await this.attempts.run(tag, work, deadline);
    if (outcome[0] === 'lost')
      throw new StoreError(
        'lost',
        `sandbox ${sandbox} is damaged: Redis no longer has some of its keys (see maxmemory-policy)`,
      );
    if (outcome[0] === 'format')
      throw new StoreError(
        'format',
        `sandbox ${sandbox} was written by another version of this program: its format is ${String(outcome[1])}, and not ${this.#version}`,
      );
    return outcome;
  }

  /** A record is stored after the id of its append, for comparison. */
  elementOf(id: string, record: Entry): string {
    return `${id} ${this.format.writeRecord(record)}`;
  }

  /** The response of a script about a log. Rejects with a `StoreError` if the data cannot be read. */
  async tail(sandbox: string, [, ...rest]: Outcome, deadline: Deadline): Promise<Tail<Base, Entry>> {
    const { format, parts } = this;
    const [log, last, id, from, base, ttl, text, records] = rest as unknown as TailResponse; // the format of the scripts was compared
    this.renewed(rest.at(-1), ttl);
    const owner = ttl === null ? sandbox : undefined;
    try {
      return {
        head: { last, id, log, from, base },
        ...(text !== null && { base: await format.readBase(text, name => parts.read(name, owner, deadline)) }),
        records: records.map(record => format.readRecord(record.slice(record.indexOf(' ') + 1))),
        ...(ttl !== null && { ttl }),
      };
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      throw new StoreError('lost', `the data of sandbox ${sandbox} in Redis cannot be read: ${String(cause)}`, {
        cause,
      });
    }
  }

  /** A script may have extended the expiry of a log: its part follows. */
  renewed(part: Reply, ttl: Reply | undefined): void {
    if (typeof part === 'string' && part !== '' && typeof ttl === 'number') this.parts.renew(part, ttl);
  }
}

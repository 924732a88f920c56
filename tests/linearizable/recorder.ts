// Records requests and responses, in the order of its own events, with their durations.
import type { ApiResponse, Asked, Cells, Operation, SandboxHistory, Written } from './checking/history.js';
import { NoResponse, NotAsked, Refused } from './replicas/replica.js';

export interface Figures {
  readonly operations: number;
  readonly acknowledged: number;
  /** Changes with unknown outcome, by the error received instead. */
  readonly unknown: ReadonlyMap<string, number>;
  /** Reads without a response. */
  readonly unread: number;
  /** Responses that say that nothing was done. */
  readonly refused: number;
  /** Milliseconds: median, 99th percentile, maximum. */
  readonly took: readonly [median: number, most: number, worst: number];
}

export class Recorder {
  /** Unexpected responses. */
  readonly odd: string[] = [];
  readonly #operations = new Map<string, Operation[]>();
  readonly #written = new Map<string, Written[]>();
  readonly #unknown = new Map<string, number>();
  readonly #took: number[] = [];
  #clock = 0;
  #count = 0;
  #unread = 0;
  #refused = 0;

  constructor(private readonly initial: ReadonlyMap<string, Cells>) {
    for (const sandbox of initial.keys()) {
      this.#operations.set(sandbox, []);
      this.#written.set(sandbox, []);
    }
  }

  get count(): number {
    return this.#count;
  }

  /** Sends a request and records the result; `undefined`: no response. Rejects with `NotAsked`, which is not recorded. */
  async record<A extends ApiResponse>(
    sandbox: string,
    by: string,
    asked: Asked,
    ask: (tag: string) => Promise<A>,
  ): Promise<A | undefined> {
    this.#clock += 1;
    const began = this.#clock;
    const tag = String(began);
    const since = performance.now();
    const keep = (operation: Pick<Operation, 'ended' | 'response'>) => {
      this.#count += 1;
      this.#operations.get(sandbox)?.push({ tag, sandbox, by, asked, began, ...operation });
    };
    try {
      const response = await ask(tag);
      this.#took.push(performance.now() - since);
      this.#clock += 1;
      keep({ ended: this.#clock, response });
      return response;
    } catch (error) {
      if (error instanceof NotAsked) throw error;
      this.#clock += 1;
      keep(error instanceof Refused ? { ended: this.#clock, response: { kind: 'refused' } } : {});
      if (!(error instanceof NoResponse || error instanceof Refused))
        this.odd.push(`${tag} [${by}: ${JSON.stringify(asked)}]: ${String(error)}`);
      if (error instanceof Refused) this.#refused += 1;
      else if ('cell' in asked) this.#missed(error);
      else this.#unread += 1;
      return undefined;
    }
  }

  write(sandbox: string, entries: readonly Written[]): void {
    this.#written.get(sandbox)?.push(...entries);
  }

  histories(): SandboxHistory[] {
    return [...this.initial].map(([sandbox, cells]) => ({
      sandbox,
      cells,
      operations: this.#operations.get(sandbox) ?? [],
      written: this.#written.get(sandbox) ?? [],
    }));
  }

  figures(): Figures {
    const took = [...this.#took].sort((a, b) => a - b);
    const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
    return {
      operations: this.#count,
      acknowledged: took.length,
      unknown: this.#unknown,
      unread: this.#unread,
      refused: this.#refused,
      took: [at(0.5), at(0.99), at(1)],
    };
  }

  #missed(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#unknown.set(why, (this.#unknown.get(why) ?? 0) + 1);
  }
}

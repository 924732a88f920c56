// What a row of the table of the control API says of an endpoint: how curl asks it, how a program does the same, and how it is asked wrongly.
// Asks nothing itself.
import type { Fake, Sandbox } from '../../server/index.js';

/** Of a path: `{s}` is the sandbox that was lived in. */
export type Params = Readonly<Record<string, string>>;

export interface Case {
  readonly what: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly params?: Params;
  /** The same sandbox named below `/~name`, where the endpoint takes it so. */
  readonly named?: 'in path' | 'in header';
  /** Whether there is to be no sandbox of the name beforehand. */
  readonly isFresh?: true;
  readonly prepare?: (sandbox: Sandbox, fake: Fake) => Promise<unknown>;
  readonly status: number;
  /** What comes back, by either door; S stands for the name of the sandbox. A function checks what differs from time to time. */
  readonly tells?: unknown;
  /** The same by the library: gives what the answer over HTTP has as its body. */
  readonly library: (sandbox: Sandbox, fake: Fake) => Promise<unknown>;
  /** What is there afterwards, by its place in what the other door tells of the sandbox; `gone`: there is none. */
  readonly after?: Readonly<Record<string, unknown>> | 'gone';
  /** What of the state differs from time to time. */
  readonly varies?: RegExp;
}

export interface Bad {
  readonly what: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly params?: Params;
  readonly status: number;
  /** The detail of the problem, or part of it. */
  readonly says: string;
  /** The pointers of all that is wrong, where it is told one by one. */
  readonly pointers?: readonly string[];
  /** Whether a program may ask so in the process of the fake: a scenario by the path of a file. */
  readonly onlyOverHttp?: true;
}

export interface Row {
  /** Of the endpoint. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** How the library calls it, for people. */
  readonly call: string;
  /** For people. */
  readonly does: string;
  readonly cases: readonly Case[];
  readonly bad: readonly Bad[];
}

/** What the library rejects with, as the value that it is checked by. */
export async function failing(
  promise: Promise<unknown>,
): Promise<{ readonly cause: unknown; readonly message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return { cause: error.cause, message: error.message };
    throw error;
  }
  throw new Error('it did not fail');
}

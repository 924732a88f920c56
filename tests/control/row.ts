// A row of the table of the control API: an endpoint with its calls over HTTP and by the library, and its invalid requests.
import type { Fake, Sandbox } from '../../server/index.js';
import { failure } from '../support/worlds/failure.js';

/** Of a path: `{s}` is the sandbox with a history. */
export type Params = Readonly<Record<string, string>>;

export interface Case {
  readonly what: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly params?: Params;
  /** The same sandbox named below `/~name`, if the endpoint accepts that. */
  readonly named?: 'in path' | 'in header';
  /** Whether the sandbox must not exist beforehand. */
  readonly isFresh?: true;
  readonly prepare?: (sandbox: Sandbox, fake: Fake) => Promise<unknown>;
  /** Default: 200. */
  readonly status?: number;
  /** The response, by either interface; S stands for the name of the sandbox. A function checks what differs over time. */
  readonly tells?: unknown;
  /** The action, called by the library: returns the value that HTTP has as its body. */
  readonly library: (sandbox: Sandbox, fake: Fake) => Promise<unknown>;
  /** The state afterwards, by its place in what the other interface returns; `gone`: the sandbox does not exist. */
  readonly after?: Readonly<Record<string, unknown>> | 'gone';
  /** The parts of the state that differ over time. */
  readonly varies?: RegExp;
}

export interface Bad {
  readonly what: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly params?: Params;
  /** Default: 400. */
  readonly status?: number;
  /** The detail of the problem, or part of it. */
  readonly says: string;
  /** The pointers of all errors, if they are listed one by one. */
  readonly pointers?: readonly string[];
  /** Whether only HTTP refuses it: in the fake's own process a scenario may be a path. */
  readonly onlyOverHttp?: true;
}

export interface Row {
  /** Of the endpoint. */
  readonly id: string;
  /** Method and path. */
  readonly endpoint: string;
  readonly cases: readonly Case[];
  /** Invalid requests beyond those of any endpoint of its shape. */
  readonly bad?: readonly Bad[];
}

export const row = (id: string, endpoint: string, rest: Pick<Row, 'cases' | 'bad'>): Row => ({ id, endpoint, ...rest });

/** A version that does not exist yet. */
export const future = (sent: Pick<Bad, 'query' | 'body'>): Bad => {
  return {
    what: 'a future version',
    status: 404,
    says: 'Unknown version 7: the sandbox has versions 0 to 6.',
    ...sent,
  };
};

export const outside: Bad = {
  what: 'another folder',
  body: { scenario: '../../etc/passwd' },
  says: 'stay within the folder',
  onlyOverHttp: true,
};

/** The error of the library, as the value to compare. */
export async function failing(promise: Promise<unknown>): Promise<Pick<Error, 'cause' | 'message'>> {
  const { cause, message } = await failure(promise, Error);
  return { cause, message };
}

// What the server says to its log, whoever writes it. What happens to requests in full is in the journals, not here.
import type { Result } from './request/perform.js';

/** A request to an operation or to an unknown path, as it is answered. */
export interface LoggedRequest {
  readonly sandbox: string;
  readonly method: string;
  /** As it was sent. */
  readonly url: string;
  /** The path below the prefix of its API, where it is an address of one. */
  readonly path?: string | undefined;
  readonly status: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Absent: it was performed in no sandbox. */
  readonly result?: Result | undefined;
}

export interface Log {
  /** Absent: nobody wants a line for each request. */
  readonly request?: (request: LoggedRequest) => void;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

/** For who wants to hear nothing. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

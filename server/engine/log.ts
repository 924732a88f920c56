// The port to the log of the server. Requests in full are in the journals, not here.

import type { GapId } from '../operations/gaps/gaps.js';
import type { RefusalCode } from '../operations/refusals.js';

export interface LoggedForwarded {
  readonly to: string;
  readonly problem?: string | undefined;
}

interface LoggedResult {
  readonly operation?: string | undefined;
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  readonly injected?: { readonly name: string };
  readonly forwarded?: LoggedForwarded;
}

/** A request to an operation or to an unknown path, when it is answered. */
export interface LoggedRequest {
  readonly sandbox: string;
  readonly method: string;
  /** As sent. */
  readonly url: string;
  /** The path below the API's prefix, if it has one. */
  readonly path?: string | undefined;
  readonly status: number;
  /** Milliseconds. */
  readonly duration: number;
  /** The trace that it belongs to, as in its header. */
  readonly traceparent?: string | undefined;
  /** Absent: there was no sandbox. */
  readonly result?: LoggedResult | undefined;
}

export interface Log {
  /** Absent: requests are not logged. */
  readonly request?: (request: LoggedRequest) => void;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

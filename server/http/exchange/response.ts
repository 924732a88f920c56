// A response as a value: what the steps decide, and the writer writes.

import type { ServerResponse } from 'node:http';
import type { Breakage } from '../../engine/request/result.js';

/** Names and values alternate. */
export type HeaderList = readonly string[];

/** A body that writes itself after the headers, as fast as the reader takes it. */
export type Stream = (res: ServerResponse) => Promise<void>;

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body. */
  readonly body?: string | Buffer | Stream;
  /** Its `X-Request-Id` if the request has none. Default: a random one. */
  readonly id?: string;
  /** Headers that say what decided it. */
  readonly explanation?: HeaderList;
  /** CORS headers. A fault may have set the same, and wins. */
  readonly cors?: HeaderList;
  /** How a fault breaks it. */
  readonly breakage?: Breakage | undefined;
}

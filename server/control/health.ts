// What a server says of itself when it is asked whether it serves. A shape, so that programs can be told of it without the server.

/** That it serves, and what. */
export interface Health {
  /** `waiting`: for its store, which cannot be used. */
  readonly status: 'ok' | 'waiting';
  readonly version: string;
  /** What a sandbox starts from that names no scenario. */
  readonly scenario: string;
  /** Seconds. */
  readonly uptime: number;
  /** Bytes that requests have made this server keep, roughly, and how many it may. */
  readonly memory: { readonly used: number; readonly limit: number };
  /** Whether a sandbox is created by being named, or explicitly only. */
  readonly sandboxes: 'auto' | 'explicit';
  /** Where sandboxes are kept. */
  readonly store: string;
  /** Why the store cannot be used. */
  readonly trouble?: string;
}

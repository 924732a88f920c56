// The health report of a server, without imports of the server.

export interface Health {
  /** `waiting`: for its store, which is unavailable. */
  readonly status: 'ok' | 'waiting';
  readonly version: string;
  /** The scenario of sandboxes that name none. */
  readonly scenario: string;
  /** Seconds. */
  readonly uptime: number;
  /** Approximate memory in bytes that requests have caused this server to keep, and its limit. */
  readonly memory: { readonly used: number; readonly limit: number };
  /** Whether a request to an unknown sandbox creates it. */
  readonly sandboxes: 'auto' | 'explicit';
  readonly store: string;
  /** The server to which a proxy forwards every request; absent from a fake. */
  readonly forwardsTo?: string;
  /** Why the store is unavailable. */
  readonly trouble?: string;
}

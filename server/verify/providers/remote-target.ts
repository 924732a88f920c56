// The options for a server under verification.

export interface RemoteTarget {
  /** A URL for which `urlError` (remote/any-server.ts) returns nothing. */
  readonly url: string;
  /** The token of the control API of a fake. */
  readonly token?: string;
  /** The state-change URL of another server. Default: none. */
  readonly stateChangeUrl?: string;
  /** Replace the headers of the contracts; also sent with state changes. */
  readonly headers: Readonly<Record<string, string>>;
}

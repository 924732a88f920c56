// What is known of a server that is verified. Knows none.

export interface RemoteTarget {
  /** One that `urlFlaw` (targets/any-server.ts) finds nothing wrong with. */
  readonly url: string;
  /** The token of the control API of a fake. */
  readonly token?: string;
  /** Where another server is told of states. Left out: it is not. */
  readonly stateChangeUrl?: string;
  /** They take the place of those of the contracts, and go with what tells of states as well. */
  readonly headers: Readonly<Record<string, string>>;
}

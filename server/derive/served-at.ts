// Where a client reaches a fake, as the documents name it.

/** Where `cwx-fake serve` listens unless told otherwise. */
export const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface ServedAt {
  /** Scheme, host and port, without a slash at the end. */
  readonly root: string;
  /** The sandbox that the document is for. Default: `default`. */
  readonly sandbox?: string;
}

/** What the path of an operation is added to. */
export function baseUrl({ root, sandbox }: ServedAt): string {
  return sandbox === undefined ? root : `${root}/~${sandbox}`;
}

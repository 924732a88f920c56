// The address of a fake in documents.

/** The default address of `cwx-fake serve`. */
export const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface ServedAt {
  /** Scheme, host and port, without a trailing slash. */
  readonly root: string;
  /** The sandbox that the document is for. Default: `default`. */
  readonly sandbox?: string;
}

/** The base URL of operations. */
export function baseUrl({ root, sandbox }: ServedAt): string {
  return sandbox === undefined ? root : `${root}/~${sandbox}`;
}

// The target at a URL: a sandbox of a fake with a control API, or any other server.
import { randomBytes } from 'node:crypto';
import { servedFake } from '../../server/library/target/served-fake.js';
import type { Target } from '../../server/scenario/play/target.js';
import { anyServer, splitContext } from './any-server.js';
import { sandboxOf, segmentsIn } from './sandbox-name.js';

export interface Wanted {
  /** A URL for which `urlError` returns nothing. */
  readonly url: string;
  /** The sandbox to play in, which is kept. Default: the one in the URL, or a temporary one. */
  readonly sandbox?: string;
  /** The control token. */
  readonly token?: string;
}

/** The target of a URL. Rejects with `Unreachable` if nobody answers. */
export async function chosenTarget({ url, sandbox = sandboxOf(url), token }: Wanted): Promise<Target> {
  const name = sandbox ?? `play-${randomBytes(4).toString('hex')}`;
  const isAtRoot = segmentsIn(splitContext(url).url).length === (sandboxOf(url) === undefined ? 0 : 1); // a fake is
  const fake = isAtRoot
    ? await servedFake(new URL(url).origin, { name, isKept: sandbox !== undefined }, token)
    : undefined;
  return fake === undefined ? anyServer(url) : { ...fake, context: splitContext(url).context };
}

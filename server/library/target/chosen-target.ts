// The target that a URL means: a sandbox of a fake that lets itself be controlled, or any other server.
// Knows nothing of what is played there.
import { randomBytes } from 'node:crypto';
import { anyServer, takenApart } from '../../remote/target/any-server.js';
import { sandboxOf, segmentsOf } from '../../remote/target/sandbox-name.js';
import type { Target } from '../../scenario/play/target.js';
import { servedFake } from './served-fake.js';

export interface Wanted {
  /** One that `urlFlaw` finds nothing wrong with. */
  readonly url: string;
  /** The sandbox to play in, which then stays. Left out: the one that the URL names, or one that is made and dropped. */
  readonly sandbox?: string;
  /** The token of the control API. */
  readonly token?: string;
}

/** The target of a URL. Rejects with `Unreachable` where nobody answers. */
export async function chosenTarget({ url, sandbox = sandboxOf(url), token }: Wanted): Promise<Target> {
  const name = sandbox ?? `play-${randomBytes(4).toString('hex')}`;
  const isAtRoot = segmentsOf(takenApart(url).url).length === (sandboxOf(url) === undefined ? 0 : 1); // as a fake is
  const fake = isAtRoot
    ? await servedFake(new URL(url).origin, { name, isKept: sandbox !== undefined }, token)
    : undefined;
  return fake === undefined ? anyServer(url) : { ...fake, context: takenApart(url).context };
}

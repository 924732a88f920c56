// The sandbox that a request names: by its path, or by its header. Makes none.
import { sandboxNameFlaw } from '../../operations/address.js';
import type { Context } from '../context.js';

/** Its name, right or wrong; `undefined`: it names none. `inPath`: what the path names, which wins. */
export function sandboxNamed(ctx: Context, inPath: string | undefined): string | undefined {
  const inHeader = ctx.req.headers['x-fake-sandbox'];
  return inPath ?? (inHeader === undefined ? undefined : String(inHeader));
}

/** What is wrong with the name of a sandbox, if it is none. */
export function nameProblem(name: string): string | undefined {
  const flaw = sandboxNameFlaw(name);
  return flaw && `${JSON.stringify(name.slice(0, 80))} is no name of a sandbox: ${flaw}.`;
}

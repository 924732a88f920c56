// The sandbox that a request names, by its path or header.
import { sandboxNameError } from '../../operations/address.js';
import type { Context } from './context.js';

/** The name, valid or not; `undefined`: none. `inPath`: the name in the path, which wins. */
export function sandboxNamed(ctx: Context, inPath: string | undefined): string | undefined {
  const inHeader = ctx.req.headers['x-fake-sandbox'];
  return inPath ?? (inHeader === undefined ? undefined : String(inHeader));
}

/** The error in a sandbox name, if any. */
export function nameProblem(name: string): string | undefined {
  const error = sandboxNameError(name);
  return error && `${JSON.stringify(name.slice(0, 80))} is not a valid sandbox name: ${error}.`;
}

// The sandbox that a request names: by its path, or by its header, or the default one. Makes none.
import { DEFAULT_SANDBOX } from '../engine/session.js';
import { SANDBOX_NAME } from '../operations/address.js';
import type { Context } from './context.js';

/** Its name, right or wrong. `inPath`: what the path names, which wins. */
export function sandboxNamed(ctx: Context, inPath: string | undefined): string {
  const inHeader = ctx.req.headers['x-fake-sandbox'];
  return inPath ?? (inHeader === undefined ? DEFAULT_SANDBOX : String(inHeader));
}

/** What is wrong with the name of a sandbox, if it is none. */
export function nameProblem(name: string): string | undefined {
  if (SANDBOX_NAME.test(name)) return undefined;
  return `${JSON.stringify(name.slice(0, 80))} is no name of a sandbox: it takes 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen.`;
}

// The name of a sandbox in a flag or in the first segment of a URL's path.

import { SANDBOX_NAME } from '../../server/operations/address.js';

/** The error in a sandbox name, if any. */
export function sandboxError(name: string): string | undefined {
  return SANDBOX_NAME.test(name) ? undefined : 'expected 1 to 64 letters, digits, dots, underscores or hyphens';
}

/** The sandbox in a URL's path, as in `http://127.0.0.1:8080/~job-7`. */
export function sandboxOf(url: string): string | undefined {
  const [first = ''] = segmentsIn(url);
  return first.startsWith('~') && SANDBOX_NAME.test(first.slice(1)) ? first.slice(1) : undefined;
}

export function segmentsIn(url: string): string[] {
  return new URL(url).pathname.split('/').filter(segment => segment !== '');
}

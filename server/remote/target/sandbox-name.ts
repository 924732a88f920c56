// The name of a sandbox, as a flag and as the first segment of a URL's path. Sends nothing.

import { SANDBOX_NAME } from '../../operations/address.js';

/** What is wrong with the name of a sandbox, if anything. */
export function sandboxFlaw(name: string): string | undefined {
  return SANDBOX_NAME.test(name) ? undefined : 'it takes 1 to 64 letters, digits, dots, underscores and hyphens';
}

/** The sandbox that a URL names by its path, as in `http://127.0.0.1:8080/~job-7`. */
export function sandboxOf(url: string): string | undefined {
  const [first = ''] = segmentsOf(url);
  return first.startsWith('~') && SANDBOX_NAME.test(first.slice(1)) ? first.slice(1) : undefined;
}

export function segmentsOf(url: string): string[] {
  return new URL(url).pathname.split('/').filter(segment => segment !== '');
}

// Any server as the target of scenarios: only what every client can do, without the control API.

import { connection } from '../../server/library/port/http-connection.js';
import type { Target } from '../../server/scenario/play/target.js';
import { checkBaseUrl } from '../../server/settings/flag-checks.js';

/** The error in the URL of a target, if any. */
export function urlError(text: string): string | undefined {
  return checkBaseUrl(text, ': give them with --as user:password');
}

/** A server by its base URL: the last path segment is its context path, unless it names a sandbox. */
export function anyServer(base: string): Target {
  const { url, context } = splitContext(base);
  const { send, close } = connection(url);
  return { url, context, send, close: async () => close() };
}

/** The URL of a server and its context path. */
export function splitContext(base: string): { readonly url: string; readonly context: string } {
  const { origin, pathname } = new URL(base);
  const segments = pathname.split('/').filter(segment => segment !== '');
  const last = segments.at(-1);
  const hasContext = last !== undefined && !last.startsWith('~');
  const before = hasContext ? segments.slice(0, -1) : segments;
  return { url: [origin, ...before].join('/'), context: hasContext ? `/${last}` : '' };
}

// Headers laid over one another. Knows no server.
import type { HttpRequest } from '../../derive/call.js';

/** Those that are laid over take the place of others of the same name in any case. */
export function layHeaders(headers: HttpRequest['headers'], over: HttpRequest['headers']): HttpRequest['headers'] {
  const names = new Set(Object.keys(over).map(name => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...over };
}

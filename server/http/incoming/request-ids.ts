// The ids of a request: that in its response and the log (the client's own, else that of its journal entry, else a new one), and its trace.
import type { IncomingHttpHeaders } from 'node:http';

/** Such an id is safe in a header and in a line of a log. */
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** The id that a request brought, if valid. */
export function requestIdIn(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VISIBLE.test(given) ? given : undefined;
}

/** Version, trace id, parent id and flags (W3C Trace Context); later versions may add more. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{1,200})?$/;

/** The trace that a request belongs to, if its header is valid. */
export function traceparentIn({ traceparent: given }: IncomingHttpHeaders): string | undefined {
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : undefined;
}

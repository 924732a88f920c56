// The stub that answers a recorded request like another server did.

import { parsedJson } from '../../domain/json/parsed-json.js';
import type { Stub } from '../../engine/faults/stub.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { urlWithin } from '../../engine/look-back/replay-entry.js';
import { refers } from '../../engine/patterns/captures.js';
import { stubErrors } from '../checks/step-checks.js';

/** Why nothing with a placeholder can be recorded. */
export const HAS_PLACEHOLDER = 'It contains ${, which a scenario would treat as a captured value.';

/** The stub that answers like another server did; or why there is none. */
export function stubFor(entry: JournalEntry): Stub | { readonly why: string } {
  const { response, forwarded } = entry;
  if (forwarded?.problem !== undefined)
    return { why: `The response of the other server was incomplete: ${forwarded.problem}` };
  if (response.body === undefined)
    return { why: 'The response of the other server has a body that is too large or is not text.' };
  if (refers({ ...forwarded?.headers, body: response.body })) return { why: HAS_PLACEHOLDER };
  const { 'Content-Type': type, ...others } = forwarded?.headers ?? {};
  const value = type?.includes('json') ? parsedJson(response.body) : undefined;
  const isJson = value !== undefined && typeof value !== 'string' && JSON.stringify(value) === response.body;
  const headers = {
    ...(type !== undefined && !(isJson && type === 'application/json') && { 'Content-Type': type }),
    ...others,
  };
  const stub = {
    ...stubMatching(entry),
    ...(response.status !== 200 && { status: response.status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(response.body !== '' && { body: isJson ? value : response.body }),
  };
  const [error] = stubErrors(stub, [], { world: undefined });
  return error === undefined ? stub : { why: `No stub can send the response of the other server: ${error.message}` };
}

/** A stub for one request like this. */
export function stubMatching(entry: JournalEntry): Stub {
  const [path = ''] = urlWithin(entry).split('?', 1);
  return { method: entry.method, path, times: 1 };
}

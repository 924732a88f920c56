// Whether an expected answer is one that the document gives: status, headers and body. Knows no readings: where one would decide, the gap is named.
import { isJsonType } from '../../engine/request/stages/json-body.js';
import { found as foundIn, misfits } from '../../engine/request/validate.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import { quoted } from '../../operations/lookups.js';
import type { Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { documentedStatuses, refusalGaps, replyGap } from './documented-statuses.js';
import { departureOf } from './schema-violation.js';
import { type Departure, pointerTo } from './violation.js';

/** What is expected of an answer. What is absent is not asserted. */
export interface Expectation {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The example, parsed where it is JSON. */
  readonly body?: unknown;
}

export function checkStatus(operation: Operation, status: number): Departure[] {
  const documented = documentedStatuses(operation);
  if (documented.has(status)) return [];
  const statuses = [...documented.keys()].sort((a, b) => a - b);
  const expected = statuses.length === 0 ? 'no status there' : statuses.join(', ');
  return [{ pointer: '', expected, found: String(status), ...statusReason(operation, status) }];
}

/** The gap that can give the status, where it is one only; where none can and the document gives others, the rule. */
function statusReason(operation: Operation, status: number): { gap?: GapId; rule?: string } {
  const reply = replyGap(operation);
  const gaps = status >= 400 ? refusalGaps(operation, status) : reply === undefined ? [] : [reply];
  const [gap, ...others] = gaps;
  if (gap !== undefined) return others.length === 0 ? { gap } : {};
  if (reply !== undefined) return {};
  return { rule: status >= 400 && status < 500 ? 'ppf.invalid-is-400' : 'ppf.processed-is-200' };
}

export function checkReply(operation: Operation, { status, body }: Expectation): Departure[] {
  if (body === undefined) return [];
  const schema = documentedReply(operation, status);
  if (schema === undefined)
    return [{ pointer: '', expected: 'no body there', found: foundIn(body), gap: bodyGap(operation, status) }];
  const rule = String(schema['x-rule']);
  return misfits(schema, body).flatMap(misfit => departureOf(misfit, body, rule)); // what is not expected may be there all the same
}

export function checkHeaders(operation: Operation, { status, headers }: Expectation): Departure[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'content-type'
      ? contentType(operation, status, pointerTo(name), value)
      : [foreignHeader(name, value)],
  );
}

/** A header that the document does not name: there is only the content type. */
export function foreignHeader(name: string, value: string): Departure {
  const own = name.toLowerCase().startsWith('x-fake-') ? ', which is the fake’s own' : '';
  return { pointer: pointerTo(name), expected: 'no such header', found: `${quoted(`${name}: ${value}`)}${own}` };
}

function contentType(operation: Operation, status: number | undefined, pointer: string, value: string): Departure[] {
  if (documentedReply(operation, status) === undefined)
    return [{ pointer, expected: 'no body there', found: quoted(value), gap: bodyGap(operation, status) }];
  if (isJsonType(value)) return [];
  return [{ pointer, expected: 'application/json', found: quoted(value), rule: 'address.json-bodies' }];
}

/** The schema of the body that the document gives an answer of that status, or the answer of success. */
function documentedReply(operation: Operation, status: number | undefined): JsonSchema | undefined {
  if (replyGap(operation) !== undefined) return undefined;
  return operation.replies.find(reply => status === undefined || reply.status === status)?.body?.json;
}

function bodyGap(operation: Operation, status: number | undefined): GapId {
  const reply = replyGap(operation);
  if (reply !== undefined && (status === undefined || status < 400)) return reply;
  return operation.family === 'wiki' ? 'wiki-error-body' : 'ppf-error-body';
}

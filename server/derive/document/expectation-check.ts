// Checks an expected response against the document: status, headers and body. If a reading would decide, the gap is named.
import { pointerTo } from '../../domain/json/json-pointer.js';
import { isJsonType } from '../../engine/request/stages/json-body.js';
import { found as foundIn, schemaErrors } from '../../engine/request/validate.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import { quoted } from '../../operations/lookups.js';
import type { Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { documentedStatuses, refusalGaps, replyGap } from './documented-statuses.js';
import { violationOf } from './schema-violation.js';
import type { Violation } from './violation.js';

/** An expected response. Absent members are not asserted. */
export interface ExpectedResponse {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The example, parsed if it is JSON. */
  readonly body?: unknown;
  /** Whether the request is known to be processed: then another status breaks the rule about that. */
  readonly isProcessed?: boolean;
}

export function checkStatus(operation: Operation, status: number, isProcessed = false): Violation[] {
  const documented = documentedStatuses(operation);
  if (documented.has(status)) return [];
  const statuses = [...documented.keys()].sort((a, b) => a - b);
  const expected = statuses.length === 0 ? 'no response status for this operation' : statuses.join(', ');
  return [{ pointer: '', expected, found: String(status), ...statusReason(operation, status, isProcessed) }];
}

/** The gap that can give the status, if there is exactly one; otherwise the rule, if the document gives other statuses. */
function statusReason(operation: Operation, status: number, isProcessed: boolean): { gap?: GapId; rule?: string } {
  const reply = replyGap(operation);
  const gaps = status >= 400 ? refusalGaps(operation, status) : reply === undefined ? [] : [reply];
  const [gap, ...others] = gaps;
  if (gap !== undefined) return others.length === 0 ? { gap } : {};
  if (reply !== undefined) return {};
  return { rule: !isProcessed && status >= 400 && status < 500 ? 'ppf.invalid-is-400' : 'ppf.processed-is-200' };
}

export function checkReply(operation: Operation, { status, body }: ExpectedResponse): Violation[] {
  if (body === undefined) return [];
  const schema = documentedReply(operation, status);
  if (schema === undefined)
    return [{ pointer: '', expected: 'no body there', found: foundIn(body), gap: bodyGap(operation, status) }];
  const rule = String(schema['x-rule']);
  return schemaErrors(schema, body).flatMap(error => violationOf(error, body, rule, { unknown: 'open' })); // what is not expected may be there all the same
}

export function checkHeaders(operation: Operation, { status, headers }: ExpectedResponse): Violation[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'content-type'
      ? contentType(operation, status, pointerTo(name), value)
      : [foreignHeader(name, value)],
  );
}

/** An undocumented header: only the content type is documented. */
export function foreignHeader(name: string, value: string): Violation {
  const own = name.toLowerCase().startsWith('x-fake-') ? ', a header that only the fake sends' : '';
  return { pointer: pointerTo(name), expected: 'no such header', found: `${quoted(`${name}: ${value}`)}${own}` };
}

function contentType(operation: Operation, status: number | undefined, pointer: string, value: string): Violation[] {
  if (documentedReply(operation, status) === undefined)
    return [{ pointer, expected: 'no body there', found: quoted(value), gap: bodyGap(operation, status) }];
  if (isJsonType(value)) return [];
  return [{ pointer, expected: 'application/json', found: quoted(value), rule: 'address.json-bodies' }];
}

/** The rules about a part of the response with a status. `place`: the path into a body, such as `$.messages[0]`. */
export function rulesAbout(
  operation: Operation,
  status: number,
  { part, place }: { readonly part: 'status' | 'header' | 'body'; readonly place: string },
): readonly string[] {
  if (part === 'status') return documentedStatuses(operation).get(status) ?? [];
  const schema = part === 'body' ? documentedReply(operation, status) : undefined;
  if (schema === undefined) return [];
  const fields = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>; // as the schema builder writes them
  const [, name = ''] = /^\$\.(\w+)/.exec(place) ?? [];
  return [String((fields[name] ?? schema)['x-rule'] ?? schema['x-rule'])];
}

/** The documented schema of the body for a status, or for success. */
function documentedReply(operation: Operation, status: number | undefined): JsonSchema | undefined {
  if (replyGap(operation) !== undefined) return undefined;
  return operation.replies.find(reply => status === undefined || reply.status === status)?.body;
}

function bodyGap(operation: Operation, status: number | undefined): GapId {
  const reply = replyGap(operation);
  if (reply !== undefined && (status === undefined || status < 400)) return reply;
  return operation.family === 'wiki' ? 'wiki-error-body' : 'ppf-error-body';
}

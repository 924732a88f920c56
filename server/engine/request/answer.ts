// How a reply or a refusal is answered: status, headers, body, in the shape that the family and the readings give it.
// Knows no HTTP library: an answer is a value.
import type { Family } from '../../operations/operation.js';
import type { Provenance, Refused, ReplyValue } from '../../operations/operation-context.js';
import { reasonPhrase } from './reasons.js';
import type { Request } from './request.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; absent: there is none. */
  readonly body?: string;
}

/** Whether answers with a status have no body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** The content types that the two hosts send. */
const contentTypes: Readonly<Record<Family, string>> = {
  wiki: 'application/json',
  ppf: 'application/json;charset=UTF-8',
};

export function answerReply(family: Family, { status, body }: ReplyValue): Answer {
  if (body === undefined) return { status, headers: {} };
  return { status, headers: { 'Content-Type': contentTypes[family] }, body: JSON.stringify(body) };
}

export function answerOptions(methods: readonly string[]): Answer {
  return { status: 204, headers: { Allow: [...methods, 'OPTIONS'].join(', ') } };
}

/** A refusal in the error body of its family; a path of neither is answered like the wiki's. `methods` are those served, for a 405. */
export function answerRefusal(
  request: Request,
  provenance: Provenance,
  refused: Pick<Refused, 'status' | 'message'>,
  methods?: readonly string[],
): Answer {
  const family = request.address?.family ?? (request.url.includes('cwx-ppf') ? 'ppf' : 'wiki');
  const body = errorBody(family, provenance, refused);
  const headers = {
    ...(body !== undefined && { 'Content-Type': contentTypes[family] }),
    ...(methods !== undefined && { Allow: [...methods, 'OPTIONS'].join(', ') }),
    ...(refused.status === 401 && { 'WWW-Authenticate': 'Basic realm="cwx-fake", charset="UTF-8"' }),
  };
  return { status: refused.status, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

function errorBody(
  family: Family,
  provenance: Provenance,
  { status, message }: Pick<Refused, 'status' | 'message'>,
): unknown {
  const reading = family === 'wiki' ? provenance.reading('wiki-error-body') : provenance.reading('ppf-error-body');
  switch (reading) {
    case 'confluence':
      return { statusCode: status, message, reason: reasonPhrase(status) };
    case 'jira':
      return { errorMessages: [message], errors: {} };
    case 'messages':
      return { messages: [message] };
    case 'empty':
      return undefined;
  }
}

// Converts HTTP responses to responses of operations.

import { parsedJson } from '../../domain/json/parsed-json.js';
import { schemaErrors } from '../../engine/request/validate.js';
import { messageIn } from '../../engine/response-message.js';
import type { AnyOperation } from '../../operations/rest-api/resource.js';
import type { NotOk } from './calls.js';

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there is none. */
  readonly text: string;
}

/** A response of any operation; if `ok`, status and body are those of one of its replies. */
export type AnyResponse = NotOk | (Omit<NotOk, 'ok' | 'message'> & { readonly ok: true });

export function readResponse(operation: AnyOperation, { status, headers, text }: HttpResponse): AnyResponse {
  const { body, isJson } = bodyIn(text);
  const received = {
    status,
    body,
    headers,
    rules: listed(headers['x-fake-rules']),
    gaps: Object.fromEntries(listed(headers['x-fake-gaps']).map(pair => parted(pair))),
  };
  const isReply = operation.replies.some(
    reply =>
      reply.status === status &&
      (reply.body === undefined
        ? text === ''
        : isJson && schemaErrors(reply.body, body, { length: text.length }).length === 0),
  );
  if (isReply) return { ok: true, ...received };
  const message = messageIn(body);
  return { ok: false, ...received, ...(message !== undefined && { message }) };
}

function bodyIn(text: string): { readonly body: unknown; readonly isJson: boolean } {
  if (text === '') return { body: undefined, isJson: false };
  const body = parsedJson(text);
  if (body === undefined) return { body: text, isJson: false }; // a proxy's page, or the rest of a response that a fault cut off
  return { body, isJson: true };
}

function listed(header = ''): string[] {
  return header
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
}

/** `gap=reading`, split at the first equals sign. */
function parted(pair: string): [gap: string, reading: string] {
  const at = pair.indexOf('=');
  return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

// The input of an operation from what was sent: body, query and path, each read, settled by the readings and held against its schema.
import { quoted } from '../../operations/lookups.js';
import type { BodySpec, Input, Operation } from '../../operations/operation.js';
import { isRefused, type Provenance, type Refused } from '../../operations/operation-context.js';
import { settleBody, settleQuery } from './fields.js';
import { isJsonType } from './media-type.js';
import type { Request } from './request.js';
import { type Misfit, misfits } from './validate.js';

const nothing: Readonly<Record<string, never>> = Object.freeze({});

/** The validated input, or the refusal that says what is wrong with it. */
export function validInput(
  operation: Operation,
  request: Request,
  provenance: Provenance,
): Input<unknown, unknown, unknown> | Refused {
  const query = operation.query === undefined ? nothing : queryInput(operation.query, request, provenance);
  if (isRefused(query)) return query;
  const body =
    operation.body === undefined ? unreadBody(request, provenance) : bodyInput(operation.body, request, provenance);
  if (isRefused(body)) return body;
  return { params: request.params ?? nothing, query, body: body.value };
}

function queryInput(
  properties: NonNullable<Operation['query']>,
  { query }: Request,
  provenance: Provenance,
): Readonly<Record<string, unknown>> | Refused {
  if (query.undecodable !== undefined) {
    return provenance.refuse(
      'query-undecodable',
      `${quoted(query.undecodable)} in the query has a percent sign that is not followed by the hexadecimal digits of UTF-8 text.`,
    );
  }
  const sent = new Map([...query.pairs].reverse()); // of a repeated parameter the first counts
  const settled = settleQuery(properties, sent, provenance);
  return isRefused(settled) ? settled : settled.values;
}

function bodyInput(
  spec: BodySpec<unknown>,
  request: Request,
  provenance: Provenance,
): { readonly value: unknown } | Refused {
  const read = readBody(spec, request, provenance);
  if (isRefused(read)) return read;
  const settled = settleBody(spec, read.value, provenance);
  if (isRefused(settled)) return settled;
  const wrong = misfits(spec.schema.json, settled.value, read.length);
  if (wrong.length > 0) return refuseMisfits(wrong, bodyRule(spec), provenance);
  provenance.applies(bodyRule(spec));
  return settled;
}

/** The value that the body holds; each way in which it can hold none is a refusal of its own. */
function readBody(
  spec: BodySpec<unknown>,
  { body, contentType }: Request,
  provenance: Provenance,
): { readonly value: unknown; readonly length: number } | Refused {
  const isTyped = body.kind === 'json' || body.kind === 'not-json' || body.kind === 'not-utf8';
  if (isTyped && !isJsonType(contentType) && provenance.reading('content-type') === '415') {
    return provenance.refuse(
      'body-content-type',
      `The body has ${contentType === '' ? 'no content type' : `the content type ${quoted(contentType)}`}: send application/json.`,
    );
  }
  switch (body.kind) {
    case 'json':
      provenance.applies('address.json-bodies');
      return { value: body.value, length: body.text.length };
    case 'absent':
      return absentBody(spec, provenance);
    case 'empty':
      return provenance.refuse('body-empty', 'The body is empty, which is no JSON: send at least {} or [].');
    case 'not-json':
      return provenance.refuse('body-not-json', `The body is not JSON: ${body.problem}.`);
    case 'not-utf8':
      return provenance.refuse('body-not-utf8', 'The body is not UTF-8, in which JSON is sent.');
    case 'too-large':
      return tooLarge(body.limit, provenance);
    case 'encoding':
      return provenance.refuse('body-encoding', `${body.problem}: send the body as it is, or with gzip or deflate.`);
    case 'cut-short':
      return provenance.refuse('body-cut-short', `The body could not be read to its end: ${body.problem}.`);
  }
}

/** Of a body that an operation does not read only the size matters: a larger one is 413, whatever it is for. */
function unreadBody({ body }: Request, provenance: Provenance): { readonly value: undefined } | Refused {
  return body.kind === 'too-large' ? tooLarge(body.limit, provenance) : { value: undefined };
}

function tooLarge(limit: number, provenance: Provenance): Refused {
  return provenance.refuse('body-too-large', `The body is larger than ${limit} bytes.`);
}

function absentBody(
  spec: BodySpec<unknown>,
  provenance: Provenance,
): { readonly value: unknown; readonly length: number } | Refused {
  const { json } = spec.schema;
  if (json.allOf !== undefined) return { value: {}, length: 0 }; // its own constraints say what is missing
  if (provenance.reading('missing-field') === 'empty') return { value: json.type === 'array' ? [] : {}, length: 0 };
  return provenance.refuse('body-absent', 'There is no body: send one as application/json.');
}

function refuseMisfits(wrong: readonly Misfit[], fallback: string, provenance: Provenance): Refused {
  const [primary, ...others] = wrong;
  const said = wrong.slice(0, 5).map(({ pointer, problem, found, keyword }) => {
    const told = keyword === 'anyOf' ? problem : `${problem}, and it is ${found}`;
    return `${pointer === '' ? 'the body' : pointer} ${told}`;
  });
  const more = wrong.length > 5 ? `; and ${wrong.length - 5} more` : '';
  const message = `${said.join('; ')}${more}.`;
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  for (const { rule } of others) if (rule !== undefined) provenance.applies(rule);
  if (primary?.rule === 'ppf.needs-recipient') return provenance.refuse('ppf-no-recipient', sentence);
  if (primary?.rule === 'ppf.needs-item') return provenance.refuse('ppf-no-item', sentence);
  return provenance.refuse('body-shape', sentence, primary?.rule ?? fallback);
}

/** The rule that the whole body keeps: that of its schema, or of the elements of a list. */
export function bodyRule({ schema }: BodySpec<unknown>): string {
  const { json } = schema;
  const items = json.items as { readonly 'x-rule'?: string } | undefined;
  return (json['x-rule'] ?? items?.['x-rule'] ?? '') as string; // every body schema of the catalog has one: a test holds it to that
}

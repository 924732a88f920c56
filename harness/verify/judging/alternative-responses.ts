// Other responses that keep the document as well and that no gap covers: they differ in what the document leaves open.

import { isObject } from '../../../server/domain/form/patch.js';
import { refusalSpec } from '../../../server/domain/refusals.js';
import { parsedJson } from '../../../server/engine/parsed-json.js';
import { isJsonType } from '../../../server/engine/request/stages/json-body.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import type { Interaction } from '../contract/contract.js';
import type { Explained } from '../providers/own-fake.js';

export interface Unshown {
  /** What the contract relies on if this other response does not meet its expectation. */
  readonly says: string;
  readonly response: RawResponse;
}

/** The refusals whose status the document gives. */
const shownRefusals: readonly string[] = [
  'ppf.needs-recipient',
  'ppf.needs-item',
  'ppf.authenticated',
  'ppf.admin-only',
  'ppf.licensed-only',
];

/** Matchers that limit the fields of an object. */
const LIMITING = /"match":"(?:equality|values|each-?key|each-?value)"/i;

/** Other responses that the document allows as well as this one, as far as the interaction could notice. */
export function alternativesTo(base: Explained, { expected, written }: Interaction): readonly Unshown[] {
  const { response } = base;
  const type = response.headers['content-type'];
  const expectsType = Object.keys(expected.headers).some(name => name.toLowerCase() === 'content-type');
  const isLimited = LIMITING.test(
    JSON.stringify(isObject(written.response) ? written.response.matchingRules : undefined) ?? '',
  );
  return [
    ...(response.status >= 400 ? ofStatus(base) : []),
    ...(expectsType && type !== undefined && isJsonType(type) ? ofContentType(response) : []),
    ...(expected.hasBody ? ofBody(response, isLimited) : []),
  ];
}

/** A gap behind the refusal has its own trials. */
function ofStatus({ response, rules, refused }: Explained): readonly Unshown[] {
  if (refused !== undefined && refusalSpec(refused).gap !== undefined) return [];
  if (rules.some(rule => shownRefusals.includes(rule))) return [];
  const { status } = response;
  const says = `The document does not give the status ${status}: another server may respond with a different one.`;
  return [{ says, response: { ...response, status: status === 422 ? 400 : 422 } }];
}

function ofContentType(response: RawResponse): readonly Unshown[] {
  const says = 'The document does not show whether the content type has a charset.';
  return ['application/json', 'application/json;charset=UTF-8', 'application/json; charset=utf-8'].map(type => ({
    says,
    response: withFields(response, 'content-type', type),
  }));
}

const PLAIN_MESSAGE = 'The request was not processed completely';

function ofBody(response: RawResponse, isLimited: boolean): readonly Unshown[] {
  const body = parsedJson(response.text);
  if (!isObject(body)) return [];
  const further = isLimited
    ? [
        {
          says: 'The document does not exclude further fields.',
          response: withBody(response, { ...body, details: {} }),
        },
      ]
    : [];
  return [...further, ...(Array.isArray(body.messages) ? ofMessages(response, body, body.messages) : [])];
}

function ofMessages(
  response: RawResponse,
  body: Readonly<Record<string, unknown>>,
  messages: readonly unknown[],
): readonly Unshown[] {
  const other = (says: string, changed: readonly unknown[]) => ({
    says,
    response: withBody(response, { ...body, messages: changed }),
  });
  if (messages.length === 0)
    return [other('The document does not say that messages are empty on success.', ['Done', 'All was processed'])];
  const count = `The document does not say how many messages there are: this interaction expects ${messages.length}.`;
  return [
    other(count, [...messages, PLAIN_MESSAGE]),
    ...(messages.length > 1 ? [other(count, messages.slice(0, 1))] : []),
    other(
      'The document does not show the text of messages: a message may not name the item that failed.',
      messages.map(() => PLAIN_MESSAGE),
    ),
  ];
}

function withBody(response: RawResponse, body: object): RawResponse {
  const text = JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  return { ...withFields(response, 'content-length', String(bytes.length)), text, bytes };
}

function withFields(response: RawResponse, changed: string, to: string): RawResponse {
  const fields = response.fields.map(([name, value]) => [name, name === changed ? to : value] as const);
  return { ...response, fields, headers: Object.fromEntries(fields) };
}

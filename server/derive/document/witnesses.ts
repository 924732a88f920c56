// Responses that a server which keeps the document may give: friendly ones have what the contract expects wherever the document allows it, unfriendly
// ones have something else there.
import { isObject } from '../../domain/form/patch.js';
import { parsedJson } from '../../domain/json/parsed-json.js';
import { nearestName } from '../../engine/nearest.js';
import { isJsonType } from '../../engine/request/stages/json-body.js';
import { FIELDS_OPEN, type Guarantee, HEADERS_OPEN, type PromisedField } from './guarantee.js';

/** What a contract expects of a response, by its example. */
export interface WitnessExample {
  /** Default: 200. */
  readonly status?: number;
  /** Whether no other status will do. */
  readonly isExactStatus: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
  readonly body?: unknown;
  /** The media type that the contract declares for the body. */
  readonly bodyType?: string;
}

interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Where a response is not as expected. */
interface Place {
  readonly part: 'status' | 'header' | 'body';
  /** The name of the header, or the path into the body. */
  readonly place: string;
}

/** Of a guarantee under the configured readings, or under others. */
export interface WitnessSource {
  readonly guarantee: Guarantee;
  readonly isOwn: boolean;
}

export interface Witness extends WitnessSource {
  readonly answer: Answer;
  readonly isFriendly: boolean;
  /** Without headers of the connection. */
  readonly isBare: boolean;
}

/** Statuses to try, those first that servers use most. */
const STATUSES = [
  ...[204, 201, 202, 200, 203, 206, 207, 422, 400, 404, 409, 403, 401, 405, 406, 410, 412, 415, 418, 423],
  ...[500, 501, 505, 302, 303, 307],
];
/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
const JSON_TYPES = ['application/json;charset=UTF-8', 'application/json', 'application/json; charset=utf-8'];

/** Of each kind of text: none, lower case, digits, another script, a long one, and one with signs. */
export const TEXTS = ['', 'not processed', '4711', 'Не найдено 見つかりません', 'Long '.repeat(1_000), '!\n"\\<b>{}'];
export const MANY_MESSAGES = Array.from({ length: 120 }, (_, i) => `Item ${i} was not processed`);
export const FURTHER_FIELDS = { details: {}, 'Änderung 1': null, $ref: [0], '0': '', '': false };

/** What the contract would accept wherever the guarantee leaves it open; `base`: the values of the other parts. */
export function friendlyTo(source: WitnessSource, base: Answer, expected: WitnessExample): Witness[] {
  const { guarantee, isOwn } = source;
  const { status, isAside = false } = guarantee;
  if (isAside && !isOwn) return []; // the same under all readings
  const isDecided = allows(guarantee, base.status);
  const wanted = expected.status ?? 200;
  const statuses = expected.isExactStatus ? [wanted] : [wanted, status.from];
  const allowed = [...new Set(statuses)].filter(one => allows(guarantee, one));
  const body = expected.hasBody ? friendlyBody(guarantee, base, expected.body) : base.text;
  const named = headerNamed(expected.headers, 'content-type');
  const type = named ?? (expected.hasBody ? declaredType(expected) : undefined);
  const isFitting = guarantee.contentType.is === 'open' || (type !== undefined && isJsonType(type));
  const headers = { ...(isDecided ? base.headers : {}), ...lowered(expected.headers) };
  const fields = { ...headers, 'content-type': type !== undefined && isFitting ? type : 'application/json' };
  return (allowed.length > 0 ? allowed : [isDecided ? base.status : status.from]).map(one => ({
    ...source,
    answer: answerOf(one, fields, body),
    isFriendly: true,
    isBare: false,
  }));
}

/** A response for each kind of value that each open part may have, which the contract may not expect. */
export function unfriendlyTo(source: WitnessSource, expected: WitnessExample): Witness[] {
  const { guarantee } = source;
  if (guarantee.isAside) return [];
  const wanted = expected.status ?? 200;
  const others = STATUSES.filter(one => allows(guarantee, one) && one !== wanted);
  const statuses = expected.isExactStatus ? others.slice(0, 1) : others;
  const usual = allows(guarantee, wanted) ? wanted : (others[0] ?? guarantee.status.from);
  const bodies = expected.hasBody ? unfriendlyBodies(guarantee, expected.body) : [undefined];
  const names = Object.keys(lowered(expected.headers));
  const parts = Math.max(bodies.length, names.length > 0 ? JSON_TYPES.length : 1);
  const witness = (status: number, k: number): Witness => {
    const body = BODILESS.has(status) ? undefined : bodies[k % bodies.length];
    const answer = answerOf(status, unfriendlyHeaders(guarantee, names, k), body);
    return { ...source, answer, isFriendly: false, isBare: k % 2 === 0 };
  };
  return [
    ...statuses.map((status, k) => witness(status, k)),
    ...Array.from({ length: parts }, (_, k) => witness(usual, k)),
  ];
}

function allows({ status: { from, to } }: Guarantee, status: number): boolean {
  return status >= from && status <= to;
}

/** Header names that the contract expects: absent and different by turns. */
function unfriendlyHeaders({ contentType }: Guarantee, names: readonly string[], k: number): Record<string, string> {
  const different = k % 2 === 0 ? [] : names.map(name => [name, 'different'] as const);
  const isTyped = contentType.is === 'typed';
  const own = isTyped ? { 'content-type': JSON_TYPES[k % JSON_TYPES.length] ?? '' } : {};
  if (isTyped || names.includes('content-type')) return { ...Object.fromEntries(different), ...own };
  return { 'content-type': 'application/json', ...Object.fromEntries(different) };
}

function friendlyBody({ body }: Guarantee, base: Answer, example: unknown): string | undefined {
  if (body.fields === undefined) return example === null || example === '' ? undefined : textOf(example);
  const known = body.fields;
  const wanted = isObject(example) ? example : {};
  const further = Object.entries(wanted).filter(
    ([name]) => !Object.hasOwn(known, name) && nearestName(name, Object.keys(known)) === undefined, // else it is misspelt
  );
  const own = parsedObject(base.text);
  const fields = Object.entries(known).map(([name, field]) => [name, friendlyField(field, wanted[name], own[name])]);
  return JSON.stringify(Object.fromEntries([...fields, ...further]));
}

function friendlyField(field: PromisedField, wanted: unknown, own: unknown): unknown {
  if ('value' in field) return field.value;
  if (isTexts(wanted) && isTold(wanted, field.atLeast)) return wanted;
  return isTexts(own) && isTold(own, field.atLeast) ? own : ['Not processed'];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(text => typeof text === 'string');
}

/** Whether at least so many texts say something. */
function isTold(texts: readonly string[], atLeast: number): boolean {
  return texts.filter(text => text.trim() !== '').length >= atLeast;
}

function unfriendlyBodies({ body: { fields } }: Guarantee, example: unknown): Array<string | undefined> {
  if (fields === undefined) return [example === null || example === '' ? '{"details":0}' : undefined, 'null', '[[]]'];
  const of = (texts: readonly string[], further: object) =>
    JSON.stringify({
      ...Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, 'value' in field ? field.value : texts]),
      ),
      ...further,
    });
  const isSilent = Object.values(fields).every(field => 'value' in field || field.atLeast === 0);
  return [of(isSilent ? [] : ['Done.'], {}), of(TEXTS, {}), of(MANY_MESSAGES, {}), of(['Done.'], FURTHER_FIELDS)];
}

/** What the server of a witness does where the verifier found a difference: `responds 204`. */
export function deedOf({ answer, guarantee }: Witness, { part, place }: Place): string {
  const { status, headers, text } = answer;
  if (part === 'status') return `responds ${status}`;
  const value = headers[place.toLowerCase()];
  if (part === 'header')
    return value === undefined ? `sends no header ${place}` : `sends the header ${place}: ${value}`;
  if (text === '') return 'sends no body';
  if (guarantee.body.fields === undefined) return `sends the body ${text}`;
  const messages = parsedObject(text)[fieldAt(place) ?? ''];
  if (!isTexts(messages)) return 'sends further fields';
  const [, index] = /\[(\d+)\]/.exec(place) ?? [];
  const message = JSON.stringify((messages[Number(index)] ?? messages.at(-1) ?? '').slice(0, 30));
  if (index !== undefined || messages.length === 1) return `sends the message ${message}`;
  return messages.length === 0 ? 'sends no messages' : `sends ${messages.length} messages such as ${message}`;
}

/** The sentence that leaves a part of the response open, where there is a difference; `undefined` if the document fixes it. */
export function freedomOf({ status, contentType, body }: Guarantee, { part, place }: Place): string | undefined {
  if (part === 'status') return status.is === 'fixed' ? undefined : status.says;
  if (part === 'header') return place.toLowerCase() === 'content-type' ? contentType.says : HEADERS_OPEN;
  if (body.fields === undefined) return body.says;
  const field = body.fields[fieldAt(place) ?? ''];
  if (field === undefined) return FIELDS_OPEN;
  return field.is === 'fixed' ? undefined : field.says;
}

/** Whether a friendly response failed only because the contract's example does not meet its own matchers: other values of a free part may. */
export function isFree({ contentType, body }: Guarantee, { part, place }: Place, expected: WitnessExample): boolean {
  if (part === 'status') return false;
  const type = headerNamed(expected.headers, 'content-type') ?? '';
  if (part === 'header') return place.toLowerCase() !== 'content-type' || contentType.is === 'open' || isJsonType(type);
  if (body.fields === undefined) return true;
  const name = fieldAt(place);
  if (name === undefined) return false;
  const field = body.fields[name];
  if (field === undefined) return nearestName(name, Object.keys(body.fields)) === undefined;
  const wanted = isObject(expected.body) ? expected.body[name] : undefined;
  return !('value' in field) && isTexts(wanted) && isTold(wanted, field.atLeast);
}

/** The field that a path into a body leads to, such as `$.messages[0]` or `$['messages']`; `undefined` for the body itself. */
function fieldAt(place: string): string | undefined {
  const [, plain, quoted] = /^\$(?:\.([^.[]+)|\['([^']+)'\])/.exec(place) ?? [];
  return plain ?? quoted;
}

function answerOf(status: number, headers: Answer['headers'], body = ''): Answer {
  return { status, headers, text: BODILESS.has(status) ? '' : body };
}

/** The value of a header by its name in lower case. */
function headerNamed(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return lowered(headers)[name];
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function declaredType({ bodyType, body }: WitnessExample): string {
  return bodyType ?? (typeof body === 'string' ? 'text/plain' : 'application/json');
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

function parsedObject(text: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(text);
  return isObject(value) ? value : {};
}

// What a pact sends and what it expects of a response, for each version of the specification. Reads what Pact's own verifier reads, and reports what
// it would silently ignore.

import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { found } from '../../../server/engine/request/validate.js';
import type { ValidationError } from '../../../server/scenario/yaml/problem.js';
import type { Expected, Json } from '../contract/contract.js';

/** The error of a value: `the status is the number 7: expected …`. */
export function wrong(pointer: string, subject: string, value: unknown, expected: string): ValidationError {
  return { pointer, message: `${subject} ${value === undefined ? 'missing' : found(value)}: expected ${expected}` };
}

/** Pact's verifier takes an absent status as 200. */
const DEFAULT_STATUS = 200;

export function readExpected(response: Json, isV4: boolean, errors: ValidationError[]): Expected {
  const { status = DEFAULT_STATUS, matchingRules } = response;
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599;
  if (!isStatus) errors.push(wrong('/response/status', 'the status is', status, 'a number such as 200'));
  const headers = readHeaders(response.headers, '/response/headers', errors);
  return {
    ...(isStatus && { status }),
    isExactStatus: !(
      isObject(matchingRules) &&
      (isFilled(matchingRules.status) || isFilled(matchingRules['$.status']))
    ),
    headers,
    ...(isV4 && isObject(response.body) && { bodyType: String(response.body.contentType ?? 'application/json') }),
    ...(isV4 ? readV4Body(response.body, headers, errors) : readPlainBody(response, headers)),
  };
}

/**
 * The request of the example, as far as it is valid: the verifier reports what is wrong with it. `line`: method, path and query. A JSON body gets its
 * content type if no header names one, as in the verifier.
 */
export function readExample(request: Json, line: string, isV4: boolean, errors: ValidationError[]): HttpRequest {
  const [method = '', ...target] = line.split(' ');
  const written = readHeaders(request.headers, '/request/headers', errors);
  const { hasBody, body } = isV4 ? readV4Body(request.body, written, []) : readPlainBody(request, written);
  const isText = typeof body === 'string' && !isJson(typeOf(written));
  const headers =
    typeOf(written) !== undefined || isText ? written : { ...written, 'Content-Type': 'application/json' };
  const asked = { method, path: target.join(' ') };
  if (!hasBody || body === null) return { ...asked, headers: written };
  return { ...asked, headers, body: isText ? body : JSON.stringify(body) };
}

function isFilled(rules: unknown): boolean {
  if (!isObject(rules)) return false;
  return Object.keys(rules).length > 0 && !(Array.isArray(rules.matchers) && rules.matchers.length === 0);
}

function readHeaders(headers: unknown, pointer: string, errors: ValidationError[]): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (!isObject(headers)) {
    errors.push(wrong(pointer, 'the headers are', headers, 'an object with their names as keys'));
    return {};
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().map(String).join(', ')]),
  );
}

type Body = Pick<Expected, 'hasBody' | 'body'>;
const noBody: Body = { hasBody: false };

/** Versions 1 to 3: the body itself; a string may be JSON text. */
function readPlainBody(response: Json, headers: Readonly<Record<string, string>>): Body {
  const { body } = response;
  if (body === undefined) return noBody;
  if (typeof body !== 'string' || !isJson(typeOf(headers))) return { hasBody: true, body };
  const parsed = parsedJson(body, body);
  return { hasBody: true, body: typeof parsed === 'string' || isObject(parsed) ? parsed : body };
}

const V4_BODY_KEYS: readonly string[] = ['content', 'contentType', 'contentTypeHint', 'encoded'];

function readV4Body(body: unknown, headers: Readonly<Record<string, string>>, errors: ValidationError[]): Body {
  const tell = (message: string): Body => {
    errors.push({ pointer: '/response/body', message });
    return noBody;
  };
  if (body === undefined) return noBody;
  if (body === null) return { hasBody: true, body: null };
  if (!isObject(body)) return tell(`the body is ${found(body)}: version 4 expects {"content": …, "contentType": …}`);
  const { content, contentType, encoded = false } = body;
  if (content === undefined) {
    const isBare = Object.keys(body).every(key => V4_BODY_KEYS.includes(key));
    return isBare ? noBody : tell('the body has no content: version 4 expects {"content": …, "contentType": …}');
  }
  const type = typeof contentType === 'string' ? contentType : typeOf(headers);
  if (typeof content !== 'string') return { hasBody: true, body: content };
  if (encoded === false)
    return {
      hasBody: true,
      body: type === undefined && /^\s*[[{]/.test(content) ? parsedJson(content, content) : content,
    };
  const scheme = String(encoded).toLowerCase();
  const text = scheme === 'base64' ? decoded(content) : content;
  if (text === undefined) return tell('the body is declared as base64, but is not valid base64');
  return { hasBody: true, body: scheme === 'json' || isJson(type) ? parsedJson(text, text) : text };
}

function decoded(content: string): string | undefined {
  return /^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(content) ? Buffer.from(content, 'base64').toString('utf8') : undefined;
}

function typeOf(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}

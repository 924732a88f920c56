// What a pact sends and what it expects of an answer, out of the form that its version of the specification gives it.
// Reads what Pact's own verifier reads, and tells what that would pass over in silence.

import type { HttpRequest } from '../../derive/sending/call.js';
import { isObject } from '../../domain/form/patch.js';
import { found } from '../../engine/request/validate.js';
import type { Expected, Json } from '../contract.js';

/** Something that is wrong with an interaction, by its JSON pointer from there. */
export interface InteractionFlaw {
  readonly pointer: string;
  readonly says: string;
}

/** An absent status is 200: so Pact's verifier takes it. */
const DEFAULT_STATUS = 200;

export function readExpected(response: Json, isV4: boolean, flaws: InteractionFlaw[]): Expected {
  const { status = DEFAULT_STATUS, matchingRules } = response;
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599;
  if (!isStatus)
    flaws.push({ pointer: '/response/status', says: `the status is ${found(status)}: it takes a number such as 200` });
  const headers = readHeaders(response.headers, flaws);
  return {
    ...(isStatus && { status }),
    isExactStatus: !(
      isObject(matchingRules) &&
      (isFilled(matchingRules.status) || isFilled(matchingRules['$.status']))
    ),
    headers,
    ...(isV4 ? readV4Body(response.body, headers, flaws) : readPlainBody(response, headers)),
  };
}

/**
 * The request of the example, as far as it can be read: the verifier tells what is wrong with it. `line`: its method, path and query. Where
 * no header names the type of a JSON body, the verifier does.
 */
export function readExample(request: Json, line: string, isV4: boolean): HttpRequest {
  const [method = '', ...target] = line.split(' ');
  const written = readHeaders(request.headers, []);
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

function readHeaders(headers: unknown, flaws: InteractionFlaw[]): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (!isObject(headers)) {
    flaws.push({
      pointer: '/response/headers',
      says: `the headers are ${found(headers)}: they take an object, by their names`,
    });
    return {};
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().map(String).join(', ')]),
  );
}

type Body = Pick<Expected, 'hasBody' | 'body'>;
const noBody: Body = { hasBody: false };

/** Versions 1 to 3: the body itself, where a text may be JSON as it would be sent. */
function readPlainBody(response: Json, headers: Readonly<Record<string, string>>): Body {
  const { body } = response;
  if (body === undefined) return noBody;
  if (typeof body !== 'string' || !isJson(typeOf(headers))) return { hasBody: true, body };
  const parsed = parsedOr(body);
  return { hasBody: true, body: typeof parsed === 'string' || isObject(parsed) ? parsed : body };
}

const V4_BODY_KEYS: readonly string[] = ['content', 'contentType', 'contentTypeHint', 'encoded'];

function readV4Body(body: unknown, headers: Readonly<Record<string, string>>, flaws: InteractionFlaw[]): Body {
  const tell = (says: string): Body => {
    flaws.push({ pointer: '/response/body', says });
    return noBody;
  };
  if (body === undefined) return noBody;
  if (body === null) return { hasBody: true, body: null };
  if (!isObject(body))
    return tell(`the body is ${found(body)}: in version 4 it takes {"content": …, "contentType": …}`);
  const { content, contentType, encoded = false } = body;
  if (content === undefined) {
    const isBare = Object.keys(body).every(key => V4_BODY_KEYS.includes(key));
    return isBare ? noBody : tell('the body has no content: in version 4 it takes {"content": …, "contentType": …}');
  }
  const type = typeof contentType === 'string' ? contentType : typeOf(headers);
  if (typeof content !== 'string') return { hasBody: true, body: content };
  if (encoded === false)
    return { hasBody: true, body: type === undefined && /^\s*[[{]/.test(content) ? parsedOr(content) : content };
  const scheme = String(encoded).toLowerCase();
  const text = scheme === 'base64' ? decoded(content) : content;
  if (text === undefined) return tell('the body says that it is base64, and is not');
  return { hasBody: true, body: scheme === 'json' || isJson(type) ? parsedOr(text) : text };
}

function decoded(content: string): string | undefined {
  return /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content) ? Buffer.from(content, 'base64').toString('utf8') : undefined;
}

function typeOf(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}

/** The value of a JSON text; a text that is none is itself. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a contract may well expect what is no JSON
  }
}

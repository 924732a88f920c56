// Reads one interaction of a pact, in the format of its version; or returns its errors.
import { METHODS } from 'node:http';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { nearest } from '../../../server/engine/nearest.js';
import { found } from '../../../server/engine/request/validate.js';
import type { ValidationError } from '../../../server/scenario/yaml/problem.js';
import type { Expected, Interaction, Json, WantedState } from '../contract/contract.js';

const HTTP = 'Synchronous/HTTP';
/** Whether it is about a message; no API here uses messages. */
export function isMessage(written: unknown): boolean {
  return isObject(written) && MESSAGES.includes(written.type);
}

const MESSAGES: readonly unknown[] = ['Asynchronous/Messages', 'Synchronous/Messages'];
export const ONLY_HTTP = 'these APIs use only HTTP. Verify messages with another tool';

/** `written`: one element of the list of interactions. */
export function readInteraction(
  written: unknown,
  isV4: boolean,
): Interaction | { readonly errors: readonly ValidationError[] } {
  if (!isObject(written)) return { errors: [wrong('', 'an interaction is', written, 'an object')] };
  const kind = isV4 ? kindError(written) : undefined;
  if (kind !== undefined) return { errors: [kind] };
  const errors: ValidationError[] = [];
  const { description, request, response, _id: id } = written;
  if (typeof description !== 'string')
    errors.push(wrong('/description', 'the description is', description, 'a string'));
  if (!isObject(request))
    errors.push(
      wrong('/request', 'the request is', request, 'an object such as {"method": "POST", "path": "/rest/…"}'),
    );
  if (!isObject(response))
    errors.push(wrong('/response', 'the response is', response, 'an object such as {"status": 200}'));
  refuseMisspelled(written, '', INTERACTION, errors);
  if (isObject(request)) refuseMisspelled(request, '/request', REQUEST, errors);
  if (isObject(response)) refuseMisspelled(response, '/response', RESPONSE, errors);
  const states = readStates(written, errors);
  const line = isObject(request) ? requestLine(request, errors) : '';
  const example = readExample(isObject(request) ? request : {}, line, isV4, errors);
  const expected = isObject(response) ? readExpected(response, isV4, errors) : undefined;
  if (errors.length > 0 || typeof description !== 'string' || expected === undefined) return { errors };
  return {
    description,
    states,
    isPending: isV4 && written.pending === true,
    request: line,
    example,
    expected,
    written,
    takes: isObject(request) ? takenValues(request) : [],
    warnings: [...idleRules(request, example), ...idleRules(response, expected)],
    ...(typeof id === 'string' && { id }),
  };
}

const MESSAGE = ['headers', 'body', 'matchingRules', 'generators'];
const REQUEST = ['method', 'path', 'query', ...MESSAGE];
const RESPONSE = ['status', ...MESSAGE];
const INTERACTION = [
  ...['description', 'request', 'response', 'providerState', 'providerStates', 'provider_state'],
  ...['type', 'transport', 'key', 'pending', 'comments', 'pluginConfiguration'],
];

/** Keys like a known one: nothing would be checked of what they say. Other unknown keys are those of other tools. */
function refuseMisspelled(object: Json, pointer: string, known: readonly string[], errors: ValidationError[]): void {
  for (const key of Object.keys(object)) {
    const meant = known.includes(key) ? '' : nearest(key, known);
    if (meant !== '') errors.push({ pointer, message: `unknown key ${JSON.stringify(key)}${meant}` });
  }
}

/** Why an interaction of version 4 cannot be verified here. */
function kindError({ type, transport, pluginConfiguration }: Json): ValidationError | undefined {
  if (MESSAGES.includes(type)) return { pointer: '/type', message: `it is a message (${String(type)}): ${ONLY_HTTP}` };
  if (type !== HTTP) {
    const hint = typeof type === 'string' ? nearest(type, [HTTP]) : '';
    const which = type === undefined ? 'it has no type' : `its type is ${found(type)}${hint}`;
    return { pointer: '/type', message: `${which}: version 4 expects "type": "${HTTP}"` };
  }
  if (transport !== undefined && transport !== null && transport !== 'http' && transport !== 'https')
    return { pointer: '/transport', message: `its transport is ${found(transport)}: ${ONLY_HTTP}` };
  if (!isObject(pluginConfiguration) || Object.keys(pluginConfiguration).length === 0) return undefined;
  const plugins = Object.keys(pluginConfiguration).join(', ');
  return { pointer: '/pluginConfiguration', message: `it needs a Pact plugin (${plugins}), which is not supported` };
}

/** `providerStates` wins over the fields of older versions unless it is empty. */
function readStates(written: Json, errors: ValidationError[]): readonly WantedState[] {
  const { providerStates } = written;
  if (Array.isArray(providerStates))
    return providerStates.flatMap((state: unknown, i) => readState(state, `/providerStates/${i}`, errors));
  if (providerStates !== undefined && providerStates !== null) {
    const expected = 'a list such as [{"name": "small-team"}]';
    errors.push(wrong('/providerStates', 'providerStates is', providerStates, expected));
    return [];
  }
  const key = written.providerState === undefined ? 'provider_state' : 'providerState';
  const name = written[key];
  if (name === undefined || name === null || name === '') return [];
  if (typeof name === 'string') return [{ name, params: {} }];
  errors.push(wrong(`/${key}`, `${key} is`, name, 'the name of a state'));
  return [];
}

function readState(state: unknown, pointer: string, errors: ValidationError[]): readonly WantedState[] {
  if (!isObject(state) || (typeof state.name !== 'string' && state.name !== null)) {
    const [subject, value] = isObject(state) ? ['a state whose name is', state.name] : ['a state is', state];
    errors.push(wrong(pointer, subject, value, '{"name": "small-team"}'));
    return [];
  }
  const { name, params = {} } = state;
  if (params !== null && !isObject(params)) {
    errors.push(wrong(`${pointer}/params`, 'the params of a state are', params, 'an object'));
    return [];
  }
  return typeof name === 'string' && name !== '' ? [{ name, params: params ?? {} }] : [];
}

/** For people. Absent parts show what Pact's verifier sends instead. */
function requestLine(request: Json, errors: ValidationError[]): string {
  const { method = 'GET', path = '/', query } = request;
  if (typeof method !== 'string')
    errors.push(wrong('/request/method', 'the method is', method, 'a string such as "PUT"'));
  else if (!METHODS.includes(method.toUpperCase()))
    errors.push({
      pointer: '/request/method',
      message: `unknown method ${JSON.stringify(method)}${nearest(method, METHODS)}`,
    });
  if (typeof path !== 'string') errors.push(wrong('/request/path', 'the path is', path, 'a string such as "/rest/…"'));
  const asked = queryText(query, errors);
  return `${String(method).toUpperCase()} ${String(path)}${asked === '' ? '' : `?${asked}`}`;
}

/** A string up to version 2, lists of values by name from version 3; `null` is a name without a value. */
function queryText(query: unknown, errors: ValidationError[]): string {
  if (query === undefined || query === null) return '';
  if (typeof query === 'string') return query.replace(/^\?/, '');
  if (!isObject(query)) {
    errors.push(wrong('/request/query', 'the query is', query, 'an object or a string'));
    return '';
  }
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map(value => [name, value]));
  const texts = pairs.map(pair => pair.filter(part => part !== null).map(part => encodeURIComponent(String(part))));
  return texts.map(parts => parts.join('=')).join('&');
}

/** The names in the expressions of its generators, each once: `pageId` in `/pages/${pageId}`. */
function takenValues({ generators }: Json): readonly string[] {
  return [...new Set(expressionsIn(generators).flatMap(namesIn))];
}

/** Generators are given for a part of the request, or below it by name or path. */
function expressionsIn(part: unknown): string[] {
  if (!isObject(part)) return [];
  if (part.type === 'ProviderState') return typeof part.expression === 'string' ? [part.expression] : [];
  return Object.values(part).flatMap(expressionsIn);
}

/** An expression without `${…}` is itself a name. */
function namesIn(expression: string): string[] {
  const named = [...expression.matchAll(/\$\{([^}$]+)\}/g)].map(([, name = '']) => name);
  return named.length > 0 || expression === '' ? named : [expression];
}

type Parts = Pick<Expected, 'headers' | 'body'> & { readonly path?: string };

/** One sentence for each rule without a target. `path`: the address of a request. A body that is not JSON is not judged. */
export function idleRules(written: unknown, { headers, body, path = '' }: Parts): string[] {
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  const named = { header: lowered(headers), headers: lowered(headers), query: lowered(query) };
  const parts = { ...named, body: typeof body === 'string' ? parsedJson(body, body) : body };
  const matchingRules = isObject(written) ? written.matchingRules : undefined;
  return Object.entries(isObject(matchingRules) ? matchingRules : {}).flatMap(([key, rule]) => {
    const steps = key.startsWith('$') ? stepsOf(key) : []; // version 2 has one path for all parts
    if (steps.length > 0) return idleRule(key, steps, parts);
    const paths = Object.keys(isObject(rule) ? rule : {});
    return paths.flatMap(at => idleRule(at, [key, ...stepsOf(at.startsWith('$') ? at : `.${at}`)], parts));
  });
}

function idleRule(path: string, [part = '', ...steps]: readonly string[], parts: Json): string[] {
  if (!Object.hasOwn(parts, part)) return []; // path and status are always there
  const way = part === 'body' ? steps : steps.slice(0, 1).map(name => name.toLowerCase());
  let nodes = [parts[part]];
  for (const step of way) {
    const inner = nodes.flatMap(node => inside(node, step));
    const isUnknown = nodes.some(
      node => typeof node === 'string' || (isIndex(step) && Array.isArray(node) && node.length === 0),
    );
    if (inner.length === 0 && isUnknown) return []; // of an empty list, the elements are not known
    if (inner.length === 0) {
      const hint = nearest(step, nodes.filter(isObject).flatMap(Object.keys));
      return [
        `The matching rule ${JSON.stringify(path)} applies to nothing: there is no ${step} in the ${part}${hint}.`,
      ];
    }
    nodes = inner;
  }
  return [];
}

const isIndex = (step: string) => /^(?:\d+|\*)$/.test(step);

function inside(node: unknown, step: string): readonly unknown[] {
  if (Array.isArray(node)) return isIndex(step) ? node : [];
  if (!isObject(node)) return [];
  return step === '*' ? Object.values(node) : Object.hasOwn(node, step) ? [node[step]] : [];
}

/** `["body", "messages", "0"]` for `$.body.messages[0]`. */
function stepsOf(path: string): string[] {
  const steps = path.matchAll(/\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]/g);
  return [...steps].map(([, plain, single, double, index]) => plain ?? single ?? double ?? index ?? '');
}

function lowered(object: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}

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

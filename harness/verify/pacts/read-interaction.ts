// Reads one interaction of a pact, in the format of its version; or returns its errors.
import { METHODS } from 'node:http';
import { isObject } from '../../../server/domain/form/patch.js';
import { nearest } from '../../../server/engine/nearest.js';
import { found } from '../../../server/engine/request/validate.js';
import type { ValidationError } from '../../../server/scenario/yaml/problem.js';
import type { Interaction, Json, WantedState } from '../contract/contract.js';
import { readExample, readExpected, wrong } from './expected.js';
import { idleRules } from './idle-rules.js';

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

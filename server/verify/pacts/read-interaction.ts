// One interaction of a pact, out of the form that its version of the specification gives it; or what is wrong with it.
// Knows nothing of files and of places in them.
import { isObject } from '../../domain/form/patch.js';
import { nearest } from '../../engine/nearest.js';
import { found } from '../../engine/request/validate.js';
import type { Interaction, Json, WantedState } from '../contract.js';
import { type InteractionFlaw, readExample, readExpected } from './expected.js';
import { matcherFlaws } from './matchers.js';

const HTTP = 'Synchronous/HTTP';
/** Whether it is about a message, which no API here takes part in. */
export function isMessage(written: unknown): boolean {
  return isObject(written) && MESSAGES.includes(written.type);
}

const MESSAGES: readonly unknown[] = ['Asynchronous/Messages', 'Synchronous/Messages'];
export const ONLY_HTTP = 'these APIs speak HTTP alone, so leave it out here and verify it with a tool for messages';

/** `written`: anything that stands in the list of interactions. */
export function readInteraction(
  written: unknown,
  isV4: boolean,
): Interaction | { readonly flaws: readonly InteractionFlaw[] } {
  if (!isObject(written)) return flawed('', `an interaction is ${found(written)}: it takes an object`);
  const kind = isV4 ? kindFlaw(written) : undefined;
  if (kind !== undefined) return { flaws: [kind] };
  const flaws: InteractionFlaw[] = [];
  const { description, request, response, _id: id } = written;
  if (typeof description !== 'string')
    flaws.push({ pointer: '/description', says: `the description is ${orMissing(description)}: it takes a text` });
  if (!isObject(request)) flaws.push(partFlaw('request', request, '{"method": "POST", "path": "/rest/…"}'));
  if (!isObject(response)) flaws.push(partFlaw('response', response, '{"status": 200}'));
  const states = readStates(written, flaws);
  for (const part of ['request', 'response'] as const) {
    const message = written[part];
    if (isObject(message)) flaws.push(...matcherFlaws(message.matchingRules, `/${part}/matchingRules`));
  }
  const line = isObject(request) ? requestLine(request, flaws) : '';
  const expected = isObject(response) ? readExpected(response, isV4, flaws) : undefined;
  if (flaws.length > 0 || typeof description !== 'string' || expected === undefined) return { flaws };
  return {
    description,
    states,
    isPending: isV4 && written.pending === true,
    request: line,
    example: readExample(isObject(request) ? request : {}, line, isV4),
    expected,
    written,
    takes: isObject(request) ? takenValues(request) : [],
    ...(typeof id === 'string' && { id }),
  };
}

function flawed(pointer: string, says: string): { readonly flaws: readonly InteractionFlaw[] } {
  return { flaws: [{ pointer, says }] };
}

function partFlaw(name: string, value: unknown, example: string): InteractionFlaw {
  return { pointer: `/${name}`, says: `the ${name} is ${orMissing(value)}: it takes an object such as ${example}` };
}

function orMissing(value: unknown): string {
  return value === undefined ? 'missing' : found(value);
}

/** Why an interaction of version 4 is none that can be verified here. */
function kindFlaw({ type, transport, pluginConfiguration }: Json): InteractionFlaw | undefined {
  if (MESSAGES.includes(type)) return { pointer: '/type', says: `it is a message (${String(type)}): ${ONLY_HTTP}` };
  if (type !== HTTP) {
    const told = typeof type === 'string' ? nearest(type, [HTTP]) : '';
    const which = type === undefined ? 'it has no type' : `its type is ${found(type)}${told}`;
    return { pointer: '/type', says: `${which}: in version 4 it takes "type": "${HTTP}"` };
  }
  if (transport !== undefined && transport !== null && transport !== 'http' && transport !== 'https')
    return { pointer: '/transport', says: `its transport is ${found(transport)}: ${ONLY_HTTP}` };
  if (!isObject(pluginConfiguration) || Object.keys(pluginConfiguration).length === 0) return undefined;
  const plugins = Object.keys(pluginConfiguration).join(', ');
  return { pointer: '/pluginConfiguration', says: `it needs a plugin of Pact (${plugins}): none is used here` };
}

/** `providerStates` goes before the names of older versions, wherever it is filled. */
function readStates(written: Json, flaws: InteractionFlaw[]): readonly WantedState[] {
  const { providerStates } = written;
  if (providerStates !== undefined && providerStates !== null) {
    if (Array.isArray(providerStates))
      return providerStates.flatMap((state: unknown, i) => readState(state, `/providerStates/${i}`, flaws));
    flaws.push({
      pointer: '/providerStates',
      says: `providerStates is ${found(providerStates)}: it takes a list such as [{"name": "small-team"}]`,
    });
    return [];
  }
  const key = written.providerState === undefined ? 'provider_state' : 'providerState';
  const name = written[key];
  if (name === undefined || name === null || name === '') return [];
  if (typeof name === 'string') return [{ name, params: {} }];
  flaws.push({ pointer: `/${key}`, says: `${key} is ${found(name)}: it takes the name of a state` });
  return [];
}

function readState(state: unknown, pointer: string, flaws: InteractionFlaw[]): readonly WantedState[] {
  if (!isObject(state) || (typeof state.name !== 'string' && state.name !== null)) {
    const which = isObject(state) ? `a state whose name is ${orMissing(state.name)}` : `a state is ${found(state)}`;
    flaws.push({ pointer, says: `${which}: it takes {"name": "small-team"}` });
    return [];
  }
  const { name, params = {} } = state;
  if (params !== null && !isObject(params)) {
    flaws.push({
      pointer: `${pointer}/params`,
      says: `the params of a state are ${found(params)}: they take an object`,
    });
    return [];
  }
  return typeof name === 'string' && name !== '' ? [{ name, params: params ?? {} }] : [];
}

/** As people read it. What is absent is what Pact's verifier sends then. */
function requestLine(request: Json, flaws: InteractionFlaw[]): string {
  const { method = 'GET', path = '/', query } = request;
  if (typeof method !== 'string')
    flaws.push({ pointer: '/request/method', says: `the method is ${found(method)}: it takes a text such as "PUT"` });
  if (typeof path !== 'string')
    flaws.push({ pointer: '/request/path', says: `the path is ${found(path)}: it takes a text such as "/rest/…"` });
  const asked = queryText(query, flaws);
  return `${String(method).toUpperCase()} ${String(path)}${asked === '' ? '' : `?${asked}`}`;
}

/** A text up to version 2, lists of values by name from version 3 on; `null` stands for a name without a value. */
function queryText(query: unknown, flaws: InteractionFlaw[]): string {
  if (query === undefined || query === null) return '';
  if (typeof query === 'string') return query.replace(/^\?/, '');
  if (!isObject(query)) {
    flaws.push({ pointer: '/request/query', says: `the query is ${found(query)}: it takes an object or a text` });
    return '';
  }
  return Object.entries(query)
    .flatMap(([name, values]) =>
      [values]
        .flat()
        .map(value =>
          value === null
            ? encodeURIComponent(name)
            : `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
        ),
    )
    .join('&');
}

/** The names in the expressions of its generators, each once: `pageId` of `/pages/${pageId}`. */
function takenValues({ generators }: Json): readonly string[] {
  return [...new Set(expressionsIn(generators).flatMap(namesIn))];
}

/** Generators stand by the part of the request, or below it by name or path. */
function expressionsIn(part: unknown): string[] {
  if (!isObject(part)) return [];
  if (part.type === 'ProviderState') return typeof part.expression === 'string' ? [part.expression] : [];
  return Object.values(part).flatMap(expressionsIn);
}

/** An expression without `${…}` is a name itself. */
function namesIn(expression: string): string[] {
  const named = [...expression.matchAll(/\$\{([^}]+)\}/g)].map(([, name = '']) => name);
  return named.length > 0 || expression === '' ? named : [expression];
}

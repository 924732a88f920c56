// Matching rules that apply to nothing in the example of an interaction: Pact's verifier silently ignores them.

import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { nearest } from '../../../server/engine/nearest.js';
import { parsedJson } from '../../../server/engine/parsed-json.js';
import type { Expected, Json } from '../contract/contract.js';

/** What its rules may be about. */
interface Parts {
  readonly headers: readonly string[];
  readonly query: readonly string[];
  /** Parsed; a text if it is not JSON. */
  readonly body: unknown;
}

/** One sentence for each rule without a target. A rule about an element of an empty list counts as used. */
export function idleInRequest(written: unknown, { path, headers, body = '' }: HttpRequest): string[] {
  const query = [...new URLSearchParams(path.split('?')[1]).keys()];
  const text = String(body);
  return idle('request', written, {
    headers: Object.keys(headers),
    query,
    body: text === '' ? undefined : parsedJson(text, text),
  });
}

export function idleInResponse(written: unknown, { headers, body }: Expected): string[] {
  return idle('response', written, { headers: Object.keys(headers), query: [], body });
}

function idle(of: 'request' | 'response', written: unknown, parts: Parts): string[] {
  const rules = isObject(written) && isObject(written.matchingRules) ? Object.entries(written.matchingRules) : [];
  return rules.flatMap(([key, rule]) => {
    const [name, ...steps] = key.startsWith('$') ? stepsOf(key) : [];
    if (name !== undefined) return nothingAt(of, key, name, steps, parts); // version 2: one path for all parts
    return Object.keys(isObject(rule) ? rule : {}).flatMap(path =>
      nothingAt(of, path, key, path.startsWith('$') ? stepsOf(path) : [path.replace(/\[\d+\]$/, '')], parts),
    );
  });
}

function nothingAt(of: string, path: string, part: string, steps: readonly string[], parts: Parts): string[] {
  const tell = (where: string, hint = '') => [
    `The matching rule ${JSON.stringify(path)} applies to nothing: the ${of} has no ${where}${hint}.`,
  ];
  if (part === 'body' && typeof parts.body === 'string') return []; // not JSON
  if (part === 'body') {
    const { missing, known = [] } = follow(parts.body, steps);
    return missing === undefined ? [] : tell(`${missing} in its body`, nearest(missing, known));
  }
  const known = /^headers?$/.test(part) ? parts.headers : part === 'query' ? parts.query : undefined;
  const [name = ''] = steps;
  const isKnown = known === undefined || name === '' || name === '*';
  if (isKnown || known.some(one => one.toLowerCase() === name.toLowerCase())) return [];
  return tell(`${part === 'query' ? 'parameter' : 'header'} ${name}`, nearest(name, known));
}

/** `["body", "messages", "0"]` for `$.body.messages[0]`. */
function stepsOf(path: string): string[] {
  const steps = path.matchAll(/\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]/g);
  return [...steps].map(([, plain, single, double, index]) => plain ?? single ?? double ?? index ?? '');
}

/** Whether a path leads to something: the first step that does not, and the names there. */
function follow(
  value: unknown,
  [step, ...rest]: readonly string[],
): { readonly missing?: string; readonly known?: readonly string[] } {
  if (step === undefined) return {};
  const isIndex = Array.isArray(value) && /^(?:\d+|\*)$/.test(step);
  const inner = isIndex
    ? value
    : isObject(value)
      ? step === '*'
        ? Object.values(value)
        : own(value, step)
      : undefined;
  if (inner === undefined) return { missing: step, known: isObject(value) ? Object.keys(value) : [] };
  const ends = inner.map(one => follow(one, rest));
  return ends.every(({ missing }) => missing !== undefined) ? (ends[0] ?? {}) : {}; // also of an empty list
}

function own(value: Json, name: string): unknown[] | undefined {
  return Object.hasOwn(value, name) ? [value[name]] : undefined;
}

// Matching rules that apply to nothing in the example of an interaction: Pact's verifier silently ignores them.
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { nearest } from '../../../server/engine/nearest.js';
import type { Expected, Json } from '../contract/contract.js';

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

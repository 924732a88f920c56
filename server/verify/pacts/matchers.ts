// What is wrong with the matchers of an interaction: what Pact's own program cannot read, for which it would give up the whole file, and what
// it could never match. Reads the forms of all versions. Matches nothing.
import { isObject } from '../../domain/form/patch.js';
import { nearest } from '../../engine/nearest.js';
import { found } from '../../engine/request/validate.js';
import type { InteractionFlaw } from './expected.js';

/** By its name, what a matcher cannot do without: one of these members. */
const matchers: Readonly<Record<string, readonly string[]>> = {
  ...{ type: [], equality: [], number: [], integer: [], decimal: [], real: [], boolean: [], null: [], semver: [] },
  ...{ date: [], time: [], timestamp: [], datetime: [], values: [], notEmpty: [], 'not-empty': [] },
  ...{
    regex: ['regex'],
    include: ['value'],
    min: ['min'],
    max: ['max'],
    contentType: ['value'],
    'content-type': ['value'],
  },
  ...{ statusCode: ['status'], 'status-code': ['status'], arrayContains: ['variants'], 'array-contains': ['variants'] },
  ...{ eachKey: [], 'each-key': [], eachValue: [], 'each-value': [] },
};
/** Members that say by themselves what a matcher is (version 2). */
const TELLING: readonly string[] = ['regex', 'min', 'max', 'timestamp', 'time', 'date'];
/** Parts of a message whose rules may be a list of matchers themselves; those of others have one for each name or path. */
const WHOLE: readonly string[] = ['path', 'method', 'status'];

/** `rules`: the `matchingRules` of a request or an answer, which are at `pointer`. */
export function matcherFlaws(rules: unknown, pointer: string): InteractionFlaw[] {
  if (rules === undefined || rules === null) return [];
  if (!isObject(rules)) return [{ pointer, says: `the matching rules are ${found(rules)}: they take an object` }];
  return Object.entries(rules).flatMap(([part, value]) => {
    const at = `${pointer}/${escaped(part)}`;
    if (part.startsWith('$')) return matcherFlaw(value, part, at);
    if (!isObject(value) || (WHOLE.includes(part) && value.matchers !== undefined)) return listFlaws(value, part, at);
    return Object.entries(value).flatMap(([name, list]) =>
      listFlaws(list, `${part} ${name}`, `${at}/${escaped(name)}`),
    );
  });
}

function listFlaws(list: unknown, place: string, pointer: string): InteractionFlaw[] {
  if (isObject(list) && Object.keys(list).length === 0) return [];
  const { matchers: all } = isObject(list) ? list : { matchers: undefined };
  if (Array.isArray(all)) return all.flatMap((one: unknown, i) => matcherFlaw(one, place, `${pointer}/matchers/${i}`));
  const what = isObject(list) ? `has for its matchers ${found(all)}` : `is ${found(list)}`;
  return [{ pointer, says: `the matching rule of ${place} ${what}: it takes {"matchers": [{"match": "type"}]}` }];
}

function matcherFlaw(matcher: unknown, place: string, pointer: string): InteractionFlaw[] {
  const flaw = (says: string) => [{ pointer, says: `the matcher of ${place} ${says}` }];
  if (!isObject(matcher)) return flaw(`is ${found(matcher)}: it takes an object such as {"match": "type"}`);
  const { match: name } = matcher;
  if (name === undefined) {
    if (TELLING.some(member => matcher[member] !== undefined)) return regexFlaw(matcher, flaw);
    return flaw('does not say what it is: it takes {"match": "type"} or another');
  }
  const due = typeof name === 'string' && Object.hasOwn(matchers, name) ? matchers[name] : undefined;
  if (due === undefined) {
    const near = typeof name === 'string' ? nearest(name, Object.keys(matchers)) : '';
    return flaw(`is ${found(name)}, which is none of Pact${near}`);
  }
  const lacking = due.filter(member => matcher[member] === undefined);
  if (lacking.length > 0) return flaw(`is ${JSON.stringify(name)} and has no ${lacking.join(', no ')}`);
  return regexFlaw(matcher, flaw);
}

function regexFlaw(
  { regex }: { readonly regex?: unknown },
  flaw: (says: string) => InteractionFlaw[],
): InteractionFlaw[] {
  if (regex === undefined) return [];
  if (typeof regex !== 'string') return flaw(`has for its regex ${found(regex)}: it takes a text`);
  const why = whyNoRegex(regex);
  return why === undefined ? [] : flaw(`has a regex that is none, ${JSON.stringify(regex)}: ${why}`);
}

/** Contracts are written in many languages, and Pact reads their regexes in a way of its own: what only JavaScript does not know is put in its words. */
function whyNoRegex(regex: string): string | undefined {
  const plain = regex
    .replace(/\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?\)/g, '')
    .replace(/\(\?[a-zA-Z]+(?:-[a-zA-Z]+)?:/g, '(?:')
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?>/g, '(?:')
    .replace(/([*+?}])\+/g, '$1');
  try {
    new RegExp(plain);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError; // what the constructor throws
    return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

// Errors in the matchers of an interaction: those for which Pact's verifier would reject the whole file, and those that could never match. For all
// versions of the specification.

import { isObject } from '../../../server/domain/form/patch.js';
import { pointerTo } from '../../../server/domain/json-pointer.js';
import { nearest } from '../../../server/engine/nearest.js';
import { found } from '../../../server/engine/request/validate.js';
import type { ValidationError } from '../../../server/scenario/yaml/problem.js';

/** By matcher: it needs one of these members. */
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
/** Members that identify a matcher by themselves (version 2). */
const TELLING: readonly string[] = ['regex', 'min', 'max', 'timestamp', 'time', 'date'];
/** Parts of a message whose rules may be a list of matchers; other parts have one entry for each name or path. */
const WHOLE: readonly string[] = ['path', 'method', 'status'];

/** `rules`: the `matchingRules` of a request or an answer; `pointer`: their place. */
export function matcherErrors(rules: unknown, pointer: string): ValidationError[] {
  if (rules === undefined || rules === null) return [];
  if (!isObject(rules)) return [{ pointer, message: `the matching rules are ${found(rules)}: they take an object` }];
  return Object.entries(rules).flatMap(([part, value]) => {
    const at = pointerTo(part, pointer);
    if (part.startsWith('$')) return matcherError(value, part, at);
    if (!isObject(value) || (WHOLE.includes(part) && value.matchers !== undefined)) return listErrors(value, part, at);
    return Object.entries(value).flatMap(([name, list]) => listErrors(list, `${part} ${name}`, pointerTo(name, at)));
  });
}

function listErrors(list: unknown, place: string, pointer: string): ValidationError[] {
  if (isObject(list) && Object.keys(list).length === 0) return [];
  const { matchers: all } = isObject(list) ? list : { matchers: undefined };
  if (Array.isArray(all)) return all.flatMap((one: unknown, i) => matcherError(one, place, `${pointer}/matchers/${i}`));
  const what = isObject(list) ? `has for its matchers ${found(all)}` : `is ${found(list)}`;
  return [{ pointer, message: `the matching rule of ${place} ${what}: expected {"matchers": [{"match": "type"}]}` }];
}

function matcherError(matcher: unknown, place: string, pointer: string): ValidationError[] {
  const error = (what: string) => [{ pointer, message: `the matcher of ${place} ${what}` }];
  if (!isObject(matcher)) return error(`is ${found(matcher)}: expected an object such as {"match": "type"}`);
  const { match: name } = matcher;
  if (name === undefined) {
    if (TELLING.some(member => matcher[member] !== undefined)) return regexError(matcher, error);
    return error('has no kind: expected {"match": "type"} or another');
  }
  const due = typeof name === 'string' && Object.hasOwn(matchers, name) ? matchers[name] : undefined;
  if (due === undefined) {
    const near = typeof name === 'string' ? nearest(name, Object.keys(matchers)) : '';
    return error(`is ${found(name)}, which is not a matcher of Pact${near}`);
  }
  const lacking = due.filter(member => matcher[member] === undefined);
  if (lacking.length > 0) return error(`is ${JSON.stringify(name)} and has no ${lacking.join(', no ')}`);
  return regexError(matcher, error);
}

function regexError(
  { regex }: { readonly regex?: unknown },
  error: (message: string) => ValidationError[],
): ValidationError[] {
  if (regex === undefined) return [];
  if (typeof regex !== 'string') return error(`has for its regex ${found(regex)}: expected a text`);
  const why = whyNoRegex(regex);
  return why === undefined ? [] : error(`has an invalid regex, ${JSON.stringify(regex)}: ${why}`);
}

/** Contracts come from many languages, and Pact has its own regex syntax: rewrites what JavaScript does not know. */
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
    const { message } = error as SyntaxError; // as thrown by the constructor
    return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
  }
}

// Parses consumer version selectors as written on a command line: JSON or a short form. The broker interprets their combination.

import { isObject } from '../../../server/domain/form/patch.js';
import { nearest } from '../../../server/engine/nearest.js';
import { parsedJson } from '../../../server/engine/parsed-json.js';
import { found } from '../../../server/engine/request/validate.js';

/** A consumer version selector as a Pact Broker takes it. */
export interface Selector {
  readonly consumer?: string;
  readonly mainBranch?: true;
  readonly matchingBranch?: true;
  readonly branch?: string | true;
  readonly fallbackBranch?: string;
  readonly fallbackToMainBranch?: true;
  readonly tag?: string;
  readonly fallbackTag?: string;
  readonly latest?: boolean;
  readonly deployed?: true;
  readonly released?: true;
  readonly deployedOrReleased?: true;
  readonly environment?: string;
}

/** What each key takes: a string, true, or either. */
const keys: Readonly<Record<keyof Selector, 'text' | 'true' | 'boolean' | 'text or true'>> = {
  consumer: 'text',
  mainBranch: 'true',
  matchingBranch: 'true',
  branch: 'text or true',
  fallbackBranch: 'text',
  fallbackToMainBranch: 'true',
  tag: 'text',
  fallbackTag: 'text',
  latest: 'boolean',
  deployed: 'true',
  released: 'true',
  deployedOrReleased: 'true',
  environment: 'text',
};
const names = Object.keys(keys);
/** Keys that select nothing by themselves: they refine another. */
const QUALIFIERS: readonly string[] = ['consumer', 'fallbackBranch', 'fallbackToMainBranch', 'fallbackTag'];
/** Short for the key and an environment: `deployed=prod`. */
const OF_ENVIRONMENT: readonly string[] = ['deployed', 'released', 'deployedOrReleased'];

/** Takes JSON, or words joined by commas: `mainBranch`, `branch=feat/x,consumer=web`, `deployed=prod`. */
export function parseSelector(text: string): Selector | { readonly problem: string } {
  const trimmed = text.trim();
  const read = /^[[{"]/.test(trimmed) ? fromJson(trimmed) : fromWords(trimmed);
  if ('problem' in read) return read;
  const { entries } = read;
  const errors = entries.flatMap(([key, value]) => errorIn(key, value));
  if (errors.length > 0) return { problem: errors.join('; ') };
  const isEmpty = entries.every(([key, value]) => QUALIFIERS.includes(key) || value === false);
  const example = ['mainBranch', ...entries.map(([key, value]) => `${key}=${String(value)}`)].join(',');
  if (isEmpty) return { problem: `this selects no version: add mainBranch, latest or another key, such as ${example}` };
  return Object.fromEntries(entries) as Selector; // each key and value has just been validated
}

type Entries = { readonly entries: ReadonlyArray<readonly [key: string, value: unknown]> };

function fromJson(text: string): Entries | { readonly problem: string } {
  const value = parsedJson(text);
  if (value === undefined) return { problem: 'this is not valid JSON: write {"mainBranch": true}, or mainBranch' };
  if (isObject(value)) return { entries: Object.entries(value) };
  return { problem: `this is ${found(value)}: a selector is one object such as {"mainBranch": true}` };
}

function fromWords(text: string): Entries | { readonly problem: string } {
  const entries = text.split(',').flatMap((word): Array<readonly [string, unknown]> => {
    const [key = '', ...rest] = word.split('=');
    const name = key.trim();
    const value = rest.length === 0 ? undefined : rest.join('=').trim();
    if (value !== undefined && value !== 'true' && OF_ENVIRONMENT.includes(name))
      return [
        [name, true],
        ['environment', value],
      ];
    return [[name, keys[name as keyof Selector] === 'text' ? (value ?? '') : wordValue(value)]]; // unknown keys are reported later
  });
  const twice = entries.find(([key], i) => entries.findIndex(([other]) => other === key) < i);
  return twice === undefined ? { entries } : { problem: `${twice[0]} is given twice` };
}

function wordValue(value: string | undefined): string | boolean {
  if (value === undefined || value === 'true') return true;
  return value === 'false' ? false : value;
}

function errorIn(key: string, value: unknown): readonly string[] {
  if (!Object.hasOwn(keys, key)) {
    if (key === '') return ['a key is missing before a comma or ='];
    return [`a selector has no key ${JSON.stringify(key)}${nearest(key, names)}: expected ${names.join(', ')}`];
  }
  const takes = keys[key as keyof Selector]; // as just checked
  const isText = typeof value === 'string' && value.trim() !== '';
  const isRight =
    (takes.startsWith('text') && isText) ||
    (takes.endsWith('true') && value === true) ||
    (takes === 'boolean' && typeof value === 'boolean');
  if (isRight) return [];
  const right = {
    text: `expected a name: ${key}=…`,
    true: `expected no value: ${key}`,
    boolean: 'expected true or false',
  };
  const expected = takes === 'text or true' ? `${right.text}, or no value: ${key}` : right[takes];
  return [`${key} is ${value === '' ? 'empty' : found(value)}: ${expected}`];
}

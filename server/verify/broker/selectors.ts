// Which versions of its consumers a broker is asked for, as people write it on a command line: JSON or a short form.
// Sends nothing; what a broker makes of the words together is its own business.
import { isObject } from '../../domain/form/patch.js';
import { nearest } from '../../engine/nearest.js';
import { found } from '../../engine/request/validate.js';

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

/** What each key takes: a text, true, or either. */
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
/** Keys that choose nothing by themselves: they say more of another. */
const QUALIFIERS: readonly string[] = ['consumer', 'fallbackBranch', 'fallbackToMainBranch', 'fallbackTag'];
/** Short for the key and an environment: `deployed=prod`. */
const OF_ENVIRONMENT: readonly string[] = ['deployed', 'released', 'deployedOrReleased'];

/** Takes JSON, or words joined by commas: `mainBranch`, `branch=feat/x,consumer=web`, `deployed=prod`. */
export function parseSelector(text: string): Selector | { readonly problem: string } {
  const trimmed = text.trim();
  const read = /^[[{"]/.test(trimmed) ? fromJson(trimmed) : fromWords(trimmed);
  if ('problem' in read) return read;
  const { entries } = read;
  const mistakes = entries.flatMap(([key, value]) => mistakeIn(key, value));
  if (mistakes.length > 0) return { problem: mistakes.join('; ') };
  const isEmpty = entries.every(([key, value]) => QUALIFIERS.includes(key) || value === false);
  const example = ['mainBranch', ...entries.map(([key, value]) => `${key}=${String(value)}`)].join(',');
  if (isEmpty)
    return { problem: `this chooses no version: it takes mainBranch, latest or another too, such as ${example}` };
  return Object.fromEntries(entries) as Selector; // each key and value has just been held against what it takes
}

type Entries = { readonly entries: ReadonlyArray<readonly [key: string, value: unknown]> };

function fromJson(text: string): Entries | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { entries: Object.entries(value) };
    return { problem: `this is ${found(value)}: a selector is one object such as {"mainBranch": true}` };
  } catch {
    return { problem: 'this begins like JSON and is none: write {"mainBranch": true}, or mainBranch' };
  }
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
    return [[name, keys[name as keyof Selector] === 'text' ? (value ?? '') : wordValue(value)]]; // unknown ones are told later
  });
  const twice = entries.find(([key], i) => entries.findIndex(([other]) => other === key) < i);
  return twice === undefined ? { entries } : { problem: `${twice[0]} is given twice` };
}

function wordValue(value: string | undefined): string | boolean {
  if (value === undefined || value === 'true') return true;
  return value === 'false' ? false : value;
}

function mistakeIn(key: string, value: unknown): readonly string[] {
  if (!Object.hasOwn(keys, key)) {
    if (key === '') return ['there is nothing before a comma or ='];
    return [`there is no ${JSON.stringify(key)} in a selector${nearest(key, names)}: it takes ${names.join(', ')}`];
  }
  const takes = keys[key as keyof Selector]; // as was just seen
  const isText = typeof value === 'string' && value.trim() !== '';
  const isRight =
    (takes.startsWith('text') && isText) ||
    (takes.endsWith('true') && value === true) ||
    (takes === 'boolean' && typeof value === 'boolean');
  if (isRight) return [];
  const right = { text: `takes a name: ${key}=…`, true: `stands alone: ${key}`, boolean: 'takes true or false' };
  const told = takes === 'text or true' ? `${right.text}, or ${right.true}` : right[takes];
  return [`${key} is ${value === '' ? 'empty' : found(value)}: it ${told}`];
}

// Parses consumer version selectors as written on a command line: JSON or a short form. The broker interprets their combination.

import * as Type from '@sinclair/typebox';
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { exact, maybe, type Shape } from '../../../server/domain/json/shape.js';
import { nearest } from '../../../server/engine/nearest.js';
import { contrast, found, schemaErrors } from '../../../server/engine/request/validate.js';

const name = maybe(Type.String({ minLength: 1 }));
const flag = maybe(Type.Boolean());
const nameOrFlag = maybe(Type.Unsafe<string | boolean>({ type: ['string', 'boolean'], minLength: 1 }));

const selectorSchema = exact({
  ...{ consumer: name, mainBranch: flag, matchingBranch: flag, branch: nameOrFlag, fallbackBranch: name },
  ...{ fallbackToMainBranch: flag, tag: name, fallbackTag: name, latest: flag, deployed: flag, released: flag },
  ...{ deployedOrReleased: flag, environment: name },
});
/** A consumer version selector as a Pact Broker takes it. */
export type Selector = Shape<typeof selectorSchema>;

/** Keys that select nothing by themselves: they refine another. */
const QUALIFIERS: readonly string[] = ['consumer', 'fallbackBranch', 'fallbackToMainBranch', 'fallbackTag'];
/** Short for the key and an environment: `deployed=prod`. */
const OF_ENVIRONMENT: readonly string[] = ['deployed', 'released', 'deployedOrReleased'];

/** Takes JSON, or words joined by commas: `mainBranch`, `branch=feat/x,consumer=web`, `deployed=prod`. */
export function parseSelector(text: string): Selector | { readonly problem: string } {
  const trimmed = text.trim();
  const value = /^[[{"]/.test(trimmed) ? parsedJson(trimmed) : fromWords(trimmed);
  if (value === undefined) return { problem: 'this is not valid JSON: write {"mainBranch": true}, or mainBranch' };
  if (typeof value === 'string') return { problem: value };
  if (!isObject(value))
    return { problem: `this is ${found(value)}: a selector is one object such as {"mainBranch": true}` };
  const errors = schemaErrors(selectorSchema, value).map(error => {
    const { pointer, problem, property, allowed } = error;
    if (property === undefined) return `${pointer.slice(1)} ${problem}${contrast(problem, error.found)}`;
    return `a selector has no key ${JSON.stringify(property)}${nearest(property, allowed)}: expected ${allowed.join(', ')}`;
  });
  if (errors.length > 0) return { problem: errors.join('; ') };
  const entries = Object.entries(value);
  const isEmpty = entries.every(([key, selected]) => QUALIFIERS.includes(key) || selected === false);
  const example = ['mainBranch', ...entries.map(([key, selected]) => `${key}=${String(selected)}`)].join(',');
  if (isEmpty) return { problem: `this selects no version: add mainBranch, latest or another key, such as ${example}` };
  return value as Selector; // its schema has been checked
}

/** The object, or its error. */
function fromWords(text: string): object | string {
  const entries = text.split(',').flatMap((word): Array<readonly [string, unknown]> => {
    const [key = '', ...rest] = word.split('=').map(part => part.trim());
    const value = rest.length === 0 ? undefined : rest.join('=');
    if (value !== undefined && value !== 'true' && OF_ENVIRONMENT.includes(key))
      return [
        [key, true],
        ['environment', value],
      ];
    const { properties } = selectorSchema;
    const isName = Object.hasOwn(properties, key) && properties[key as keyof Selector].type === 'string';
    if (isName) return [[key, value ?? '']];
    return [[key, value === undefined || value === 'true' ? true : value === 'false' ? false : value]];
  });
  const names = entries.map(([key]) => key);
  if (names.includes('')) return 'a key is missing before a comma or =';
  const twice = names.find((key, i) => names.indexOf(key) < i);
  return twice === undefined ? Object.fromEntries(entries) : `${twice} is given twice`;
}

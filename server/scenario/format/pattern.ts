// The regular expressions of `$match`, on an engine whose time grows with the text and not with the cunning of the pattern.
// Here is all that knows the engine; it is loaded with the first pattern, so that serving does not wait for it.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { consume } from './budget.js';
import { programBound } from './pattern-size.js';

/** Longer patterns have more alternatives than anyone reads. */
const MOST_CHARACTERS = 1000;

/** What RE2 unfolds of repeat counts. */
const MOST_REPEATS = 1000;

/** Of the program that a pattern becomes: matching takes at most one step for each of them and each character. */
const MOST_INSTRUCTIONS = 5000;

/** What a program may seem to have before it is made, which is up to a few times too much. */
const MOST_BEFORE = 10 * MOST_INSTRUCTIONS;

/** What it costs to make an instruction, in steps of matching. */
const MAKING = 300;

/** Patterns that are kept as programs: each may hold some megabytes of what it has met. */
const MOST_KEPT = 50;

const require = createRequire(import.meta.filename);
let engine: typeof RE2JS | undefined;
const compiled = new Map<string, RE2JS>();

/** What is wrong with a pattern, if anything, in a sentence. Throws `BudgetExceeded` where it takes too much work to make its program. */
export function patternFlaw(pattern: string): string | undefined {
  if (pattern.length > MOST_CHARACTERS)
    return `The pattern has ${pattern.length} characters: it takes at most ${MOST_CHARACTERS}.`;
  const bound = programBound(pattern);
  if (bound > MOST_BEFORE) return tooLarge(pattern);
  consume(bound * MAKING);
  try {
    return compile(pattern).programSize() > MOST_INSTRUCTIONS ? tooLarge(pattern) : undefined;
  } catch (error) {
    return `${JSON.stringify(pattern)} is no regular expression here: ${reason((error as Error).message)}.`;
  }
}

function tooLarge(pattern: string): string {
  return `${JSON.stringify(pattern)} repeats so much that its program has more than ${MOST_INSTRUCTIONS} instructions, and more are not tried: repeat less within what is repeated.`;
}

/** Whether a pattern finds something in a text. The pattern has been checked. Throws `BudgetExceeded` where it is too much work on this text. */
export function finds(pattern: string, text: string): boolean {
  const program = compile(pattern);
  consume(program.programSize() * (text.length + 1));
  return program.matcher(text).find();
}

/** Why a pattern is none, in words for who knows the expressions of other languages. */
function reason(message: string): string {
  const said = message.replace(/^error parsing regexp: /, '');
  const [what = '', where = ''] = said.split(/: (?=`)/);
  if (/^`\(\?<?[=!]/.test(where))
    return `it looks around (${where}), which RE2 leaves out so that no pattern takes long`;
  if (/^`\\([1-9]|k)/.test(where))
    return `it refers back to a group (${where}), which RE2 leaves out so that no pattern takes long`;
  if (what === 'invalid repeat count' && isCounted(where))
    return `it repeats something more than ${MOST_REPEATS} times (${where}), counts within counts multiplied`;
  if (what === 'invalid escape sequence' && /^`\\u/.test(where)) return `${said}: write \\x{00e9} for \\u00e9`;
  return said;
}

/** Whether a repeat count goes up, so that its size is what is wrong. */
function isCounted(repeat: string): boolean {
  const [, least = '0', most = least] = /^`\{(\d+)(?:,(\d*))?\}`$/.exec(repeat) ?? [];
  return most === '' || Number(most) >= Number(least);
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  engine ??= (require('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  const made = engine.compile(pattern);
  const [oldest] = compiled.keys();
  if (compiled.size >= MOST_KEPT && oldest !== undefined) compiled.delete(oldest);
  compiled.set(pattern, made);
  return made;
}

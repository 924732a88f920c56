// The regular expressions of `$match`, on an engine whose time is linear in the text, whatever the pattern. The engine is loaded with the first
// pattern, to keep the start fast.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { consume } from './budget.js';

/** No readable pattern is longer. */
const MAX_CHARACTERS = 1000;

/** The maximum repeat count of RE2. */
const MAX_REPEATS = 1000;

/** Maximum instructions of a program: matching takes at most one step for each instruction and character. */
const MAX_INSTRUCTIONS = 5000;

/** Maximum estimated size before compiling; the estimate may be several times too large, more with counted groups. */
const MAX_BEFORE = 10 * MAX_INSTRUCTIONS;

/** Maximum instructions for one character of a pattern that is not repeated. */
const PER_CHARACTER = 2;

/** Cost of compiling an instruction, in steps of matching. */
const MAKING = 300;

/** Number of compiled patterns kept: each may cache megabytes of states. */
const MAX_KEPT = 50;

const require = createRequire(import.meta.filename);
let engine: typeof RE2JS | undefined;
const compiled = new Map<string, RE2JS>();

/** An upper bound of the instructions, counted in the text: a pattern of a thousand characters can make a million of them. */
export function programBound(pattern: string): number {
  let size = pattern.length + 2;
  let times = 1; // as if every group with a count were within all others
  for (const [, of, least, most = ''] of pattern.matchAll(/([\s\S])\{(\d{1,4})(,\d{0,4})?\}/g)) {
    const count = Math.max(Number(least) + 1, Number(most.slice(1)));
    if (of === ')') times *= count;
    else size += count;
  }
  return PER_CHARACTER * size * Math.min(times, MAX_REPEATS);
}

/** The error of a pattern as a sentence, if it is invalid. Throws `BudgetExceeded` if compiling it is too expensive. */
export function patternError(pattern: string): string | undefined {
  if (pattern.length > MAX_CHARACTERS)
    return `The pattern has ${pattern.length} characters, but at most ${MAX_CHARACTERS} are allowed.`;
  const bound = programBound(pattern);
  if (bound > MAX_BEFORE) return tooLarge(pattern);
  consume(bound * MAKING);
  try {
    return compile(pattern).programSize() > MAX_INSTRUCTIONS ? tooLarge(pattern) : undefined;
  } catch (error) {
    return `${JSON.stringify(pattern)} is not a valid regular expression: ${reason((error as Error).message)}.`;
  }
}

function tooLarge(pattern: string): string {
  return `${JSON.stringify(pattern)} is too large: its repetitions need more than ${MAX_INSTRUCTIONS} instructions. Use fewer nested repetitions.`;
}

/** Whether a valid pattern matches somewhere in a text. Throws `BudgetExceeded` if that is too expensive. */
export function finds(pattern: string, text: string): boolean {
  const program = compile(pattern);
  consume(program.programSize() * (text.length + 1));
  return program.matcher(text).find();
}

/** Why a pattern is invalid, for people who know other regex dialects. */
function reason(message: string): string {
  const said = message.replace(/^error parsing regexp: /, '');
  const [what = '', where = ''] = said.split(/: (?=`)/);
  if (/^`\(\?<?[=!]/.test(where)) return `lookaround (${where}) is not supported by RE2`;
  if (/^`\\([1-9]|k)/.test(where)) return `backreferences (${where}) are not supported by RE2`;
  if (what === 'invalid repeat count') return `${said}: at most ${MAX_REPEATS}, and nested counts multiply`;
  if (what === 'invalid escape sequence' && /^`\\u/.test(where)) return `${said}: write \\x{00e9} for \\u00e9`;
  return said;
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  engine ??= (require('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  const made = engine.compile(pattern);
  const [oldest] = compiled.keys();
  if (compiled.size >= MAX_KEPT && oldest !== undefined) compiled.delete(oldest);
  compiled.set(pattern, made);
  return made;
}

// The regular expressions of `$match`, on an engine whose time grows with the text and not with the cunning of the pattern.
// Here is all that knows the engine; it is loaded with the first pattern, so that serving does not wait for it.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Longer patterns have more alternatives than anyone reads. */
const MOST_CHARACTERS = 1000;

/** What RE2 unfolds of repeat counts. */
const MOST_REPEATS = 1000;

const load = createRequire(import.meta.url);
let engine: typeof RE2JS | undefined;
const compiled = new Map<string, RE2JS>();

/** What is wrong with a pattern, if anything, in a sentence. */
export function patternFlaw(pattern: string): string | undefined {
  if (pattern.length > MOST_CHARACTERS)
    return `The pattern has ${pattern.length} characters: it takes at most ${MOST_CHARACTERS}.`;
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return `${JSON.stringify(pattern)} is no regular expression here: ${reason((error as Error).message)}.`;
  }
}

/** Whether a pattern finds something in a text. The pattern has been checked. */
export function finds(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
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
  engine ??= (load('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  const made = engine.compile(pattern);
  compiled.set(pattern, made);
  return made;
}

// The regular expressions of `$match`, on an engine whose time grows with the text and not with the cunning of the pattern.
// Here is all that knows the engine; it is loaded with the first pattern, so that serving does not wait for it.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Longer patterns have more alternatives than anyone reads. */
const MOST_CHARACTERS = 1000;

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
    const said = (error as Error).message.replace(/^error parsing regexp: /, '');
    return `${JSON.stringify(pattern)} is no pattern of RE2: ${said}. Look-around and back-references are not there, so that no pattern takes long.`;
  }
}

/** Whether a pattern finds something in a text. The pattern has been checked. */
export function finds(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  engine ??= (load('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  const made = engine.compile(pattern);
  compiled.set(pattern, made);
  return made;
}

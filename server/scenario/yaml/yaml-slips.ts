// What is wrong with a text that is no YAML, told for people who do not know YAML. Knows no format.
import type { YAMLError } from 'yaml';
import { MOST_PROBLEMS } from './problem.js';

/** What is wrong at a place in a text. */
export interface Slip {
  readonly offset: number;
  readonly message: string;
}

/** One sentence for each mistake, and no more of them than anyone reads; what the parser then stumbles over because of it is left out. */
export function slipsOf(errors: readonly YAMLError[], text: string): Slip[] {
  const slips: Slip[] = [];
  let [from, to] = [-1, -1]; // where a mistake explains what else is found
  for (const error of errors) {
    const [offset] = error.pos;
    if (slips.length === MOST_PROBLEMS) break;
    if (offset >= from && offset <= to) continue;
    const slip = bareReference(offset, text) ?? deeperLine(error, text) ?? blankMissing(error, text);
    if (slip !== undefined) [from, to] = [Math.min(offset, slip.offset), endOfLine(slip.offset, text)];
    slips.push(slip ?? { offset, message: sentence(error) });
  }
  return slips;
}

/** `${name}` without quotes where braces have a meaning: the parser stops at the brace, or before or behind it. */
function bareReference(offset: number, text: string): Slip | undefined {
  for (const start of [offset, offset - 1, offset - 2]) {
    const [reference] = /^\$\{[\w-]+\}/.exec(text.slice(Math.max(start, 0), start + 100)) ?? [];
    if (reference !== undefined && start >= 0)
      return { offset: start, message: `${reference} is written in quotes here: "${reference}".` };
  }
  return undefined;
}

/** A line that goes on with a key, deeper than the key before it that has its value already. */
function deeperLine({ code, pos: [offset] }: YAMLError, text: string): Slip | undefined {
  if (code !== 'BLOCK_AS_IMPLICIT_KEY' && code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = endOfLine(offset, text);
  if (/:(\s|$)/.test(text.slice(offset, end))) return undefined; // a second colon on the line itself
  const next = /^(?:[ \t]*\r?\n)*([ ]*)[^\s#]/.exec(text.slice(end + 1));
  const [lead = ''] = /^[ ]*(?:- +)*/.exec(text.slice(start, end)) ?? [];
  const [, indent = ''] = next ?? [];
  if (next === null || indent.length <= lead.length) return undefined;
  const at = end + next[0].length; // of the last character matched, which is the first of the key
  const [line, before] = [lineOf(at, text), lineOf(start, text)];
  return {
    offset: at,
    message: `Line ${line} is indented deeper than line ${before}: keys that belong together begin below each other.`,
  };
}

/** `say:Ask` on a line of its own is a text, and no key. */
function blankMissing({ code, pos: [offset] }: YAMLError, text: string): Slip | undefined {
  if (code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const [, name, rest] = /^([A-Za-z]\w*):(\S.*)$/.exec(text.slice(offset, endOfLine(offset, text))) ?? [];
  return name === undefined ? undefined : { offset, message: `A blank follows the colon: ${name}: ${rest}.` };
}

function endOfLine(offset: number, text: string): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function lineOf(offset: number, text: string): number {
  return text.slice(0, offset).split('\n').length;
}

/** What the parser says, in a sentence. */
function sentence({ message, code }: YAMLError): string {
  const said =
    code === 'TAG_RESOLVE_FAILED'
      ? message.replace(/^Unresolved tag: (.*)$/, 'The tag $1 means nothing here')
      : code === 'BLOCK_AS_IMPLICIT_KEY'
        ? 'There is a second colon on this line: a text with a colon and a blank in it is written in quotes'
        : message;
  return `${said.split('\n', 1)[0]?.replace(/[.:]?\s*$/, '')}.`;
}

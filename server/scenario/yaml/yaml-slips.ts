// Errors in a text that is not YAML, worded for people who do not know YAML.
import type { YAMLError } from 'yaml';
import { MAX_PROBLEMS } from './problem.js';

/** An error at a place in a text. */
export interface Slip {
  readonly offset: number;
  readonly message: string;
}

/** One sentence for each error, up to a limit, without errors that only follow from another. */
export function slipsOf(errors: readonly YAMLError[], text: string): Slip[] {
  const stray = errors.length === 0 ? undefined : strayStart(text);
  if (stray !== undefined) return [stray];
  const slips: Slip[] = [];
  let [from, to] = [-1, -1]; // if this error explains the next ones
  for (const error of errors) {
    const [offset] = error.pos;
    if (slips.length === MAX_PROBLEMS) break;
    if (offset >= from && offset <= to) continue;
    const slip =
      bareReference(offset, text) ??
      dashWithoutBlank(error, text) ??
      deeperLine(error, text) ??
      secondColon(error, text) ??
      blankMissing(error, text) ??
      reservedStart(error, text);
    if (slip !== undefined) [from, to] = [Math.min(offset, slip.offset), endOfLine(slip.offset, text)];
    slips.push(slip ?? { offset, message: sentence(error) });
  }
  return slips;
}

/** A first line that is neither a key nor an item of a list: the parser then reports every line after it. */
function strayStart(text: string): Slip | undefined {
  const [before = ''] = /^(?:[ \t]*(?:#.*)?\r?\n)*/.exec(text) ?? [];
  const [stray] = /^[A-Za-z|>][^:#\r\n]*/.exec(text.slice(before.length)) ?? [];
  if (stray === undefined || /^:/.test(text.slice(before.length + stray.length))) return undefined;
  return {
    offset: before.length,
    message: `Expected a key and a colon, such as title:, but found ${JSON.stringify(stray.trim().slice(0, 80))}.`,
  };
}

/** `${name}` without quotes within braces: the parser stops at the brace, or before or after it. */
function bareReference(offset: number, text: string): Slip | undefined {
  for (const start of [offset, offset - 1, offset - 2]) {
    const [reference] = /^\$\{[\w-]+\}/.exec(text.slice(Math.max(start, 0), start + 100)) ?? [];
    if (reference !== undefined && start >= 0)
      return { offset: start, message: `${reference} must be in quotes here: "${reference}".` };
  }
  return undefined;
}

/** `-say: x` is a key, not an item of a list; the parser finds fault with this line or the next one. */
function dashWithoutBlank({ code, pos: [offset] }: YAMLError, text: string): Slip | undefined {
  if (!/^(?:BLOCK_AS|MULTILINE)_IMPLICIT_KEY|BAD_INDENT|UNEXPECTED_TOKEN$/.test(code)) return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  for (const from of [start, text.lastIndexOf('\n', start - 2) + 1]) {
    const [, lead = '', rest] = /^( *)-([A-Za-z]\w*:(?:\s.*|$))/.exec(text.slice(from, endOfLine(from, text))) ?? [];
    if (rest !== undefined)
      return { offset: from + lead.length, message: `Put a space after the dash: - ${rest.trim()}.` };
  }
  return undefined;
}

/** `say: @alice joins`: some characters have a meaning of their own at the beginning of a text. */
function reservedStart({ code, pos: [offset] }: YAMLError, text: string): Slip | undefined {
  if (code !== 'BAD_SCALAR_START' && code !== 'BAD_ALIAS') return undefined;
  const isInBrackets = /[[{]/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
  const value = valueAt(offset, text, isInBrackets);
  return { offset, message: `Text that begins with ${value[0]} needs quotes: ${JSON.stringify(value)}.` };
}

/** A line with a key that is indented deeper than a previous key that already has a value. */
function deeperLine({ code, pos: [offset] }: YAMLError, text: string): Slip | undefined {
  if (code !== 'BLOCK_AS_IMPLICIT_KEY' && code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = endOfLine(offset, text);
  if (/:(\s|$)/.test(text.slice(offset, end))) return undefined; // a second colon on the line itself
  const next = /^(?:[ \t]*\r?\n)*([ ]*)[^\s#]/.exec(text.slice(end + 1));
  const [lead = ''] = /^[ ]*(?:- +)*/.exec(text.slice(start, end)) ?? [];
  const [, indent = ''] = next ?? [];
  if (next === null || indent.length <= lead.length) return undefined;
  const at = end + next[0].length; // of the last matched character, the first of the key
  const [line, before] = [lineOf(at, text), lineOf(start, text)];
  return {
    offset: at,
    message: `Line ${line} is indented deeper than line ${before}: keys of one mapping need the same indentation.`,
  };
}

/** `name: Ada: Test`, alone or within braces: the text needs quotes. */
function secondColon({ code, pos: [offset] }: YAMLError, text: string): Slip | undefined {
  if (code !== 'BLOCK_AS_IMPLICIT_KEY' && code !== 'BLOCK_IN_FLOW') return undefined;
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const name = before.trimEnd();
  const [key] = /(?<![\w.$-])[\w.$-]+$/.exec(name.slice(-101, -1)) ?? [];
  const value = valueAt(offset, text, code === 'BLOCK_IN_FLOW');
  if (key === undefined || !name.endsWith(':') || name === before || !/:(\s|$)/.test(value)) return undefined;
  return { offset, message: `Text that contains a colon and a space needs quotes: ${key}: ${JSON.stringify(value)}.` };
}

/** `say:Ask` on a line of its own is a text, not a key. */
function blankMissing({ code, pos: [offset] }: YAMLError, text: string): Slip | undefined {
  if (code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const [, name, rest] = /^([A-Za-z]\w*):(\S.*)$/.exec(text.slice(offset, endOfLine(offset, text))) ?? [];
  return name === undefined ? undefined : { offset, message: `Put a space after the colon: ${name}: ${rest}.` };
}

/** The rest of a line without its comment, or up to the end of a value in brackets. */
function valueAt(offset: number, text: string, isInBrackets: boolean): string {
  const rest = text.slice(offset, endOfLine(offset, text));
  const end = rest.search(isInBrackets ? /[,}\]]/ : /\s#/);
  return (end === -1 ? rest : rest.slice(0, end)).trim();
}

function endOfLine(offset: number, text: string): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function lineOf(offset: number, text: string): number {
  return text.slice(0, offset).split('\n').length;
}

/** The parser's messages in other words. */
const wordings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Not a YAML token: (.*)$/s, 'Unexpected text "$1"'],
  [/^Map comment with trailing content$/, 'Unexpected text after a comment'],
  [/^Implicit (?:map )?keys need to be .*$/, 'Expected a key and a colon on one line'],
  [/^Block scalar values in collections must be indented$/, 'Indent the lines of a text after | or >'],
  [/^Unresolved tag: (.*)$/, 'The tag $1 is not supported'],
  [
    /^Nested mappings are not allowed.*$/,
    'This line has a second colon: put text that contains a colon and a space in quotes',
  ],
  [
    /^Block collections are not allowed.*$/,
    'Inside { } or [ ], keys cannot be on lines of their own: write { key: value } here',
  ],
  [/^Tabs are not allowed as indentation$/, 'Indent with spaces: tabs are not allowed here'],
  [/^Missing closing (["']).*$/, 'A closing quote ($1) is missing before this point'],
  [/^Flow (?:map|sequence) .* end with a ([}\]])$/, 'A closing $1 is missing before this point'],
  [
    /^Sequence item without - indicator$/,
    'Wrong indentation: a list item begins with "- ", and its keys line up with the text after it',
  ],
];

function sentence({ message }: YAMLError): string {
  const [said = ''] = message.split('\n', 1);
  const plain = said
    .trimEnd()
    .replace(/[.:]$/, '')
    .replace(/ at line \d+, column \d+$/, '');
  const [pattern, wording] = wordings.find(([pattern]) => pattern.test(plain)) ?? [];
  return `${pattern === undefined || wording === undefined ? plain : plain.replace(pattern, wording)}.`;
}

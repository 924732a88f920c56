// Wraps text to a number of columns. Lines are painted afterwards.
import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from '../../server/process/command-process.js';

/** The width of a terminal. Files and pipes are not wrapped. */
export function lineWidth({ isTTY, columns }: OutputStream): number {
  return isTTY === true && columns !== undefined && columns > 0 ? columns : Number.POSITIVE_INFINITY;
}

/** Columns of a text, without its colours. Where terminals differ, the larger number. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) width += columnsOf(char);
  return width;
}

const NONE = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const TWO =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u{3000}-\u{303f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f000}-\u{1faff}]$/u;

function columnsOf(char: string): number {
  if (char <= '~') return 1;
  return NONE.test(char) ? 0 : TWO.test(char) ? 2 : 1;
}

/** The lines of a text; a word wider than a line is broken. At least one line. */
export function wrapped(text: string, width: number): string[] {
  const most = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(part => part !== '')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) <= most) {
      line = `${line} ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = broken(word, most);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

/** Wrapped text with a head before the first line and spaces before the others. */
export function hanging(head: string, text: string, width: number): string[] {
  const indent = ' '.repeat(widthOf(head));
  return wrapped(text, width - indent.length).map((line, i) => `${i === 0 ? head : indent}${line}`);
}

/** Lines as they fit a terminal: a longer one continues below its text, beside its label. */
export function fittedLines(lines: readonly string[], to: OutputStream): string[] {
  const width = lineWidth(to);
  return lines.flatMap(line => {
    if (widthOf(line) <= width) return line;
    const [head = ''] = /^ *(?:\w+ {2,})?/.exec(line) ?? [];
    return hanging(head, line.slice(head.length), width);
  });
}

/** The part of a text that fits on one line. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return `${broken(text, Math.max(1, width - 1))[0] ?? ''}…`;
}

function broken(word: string, most: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const char of word) {
    const columns = columnsOf(char);
    if (width + columns > most && piece !== '') {
      pieces.push(piece);
      piece = '';
      width = 0;
    }
    piece += char;
    width += columns;
  }
  return [...pieces, piece];
}

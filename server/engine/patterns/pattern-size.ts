// The size of a pattern's program, computed before it is compiled: nested counts multiply, so a thousand characters can mean a million instructions.
// Parses RE2 syntax only as far as sizes need it.

/** At least one instruction for each repeat or option. */
const FORK = 2;
/** A group, or the whole pattern. */
const FRAME = 4;

const ESCAPE = /\\(?:[pP](?:\{\^?\w*\}|.)|x(?:\{\w*\}|[\dA-Fa-f]{2})|Q[\s\S]*?(?:\\E|$)|[0-7]{1,3}|[\s\S])/uy;
/** Also without its end, so that it need not be read twice; such a pattern is invalid. */
const CLASS = /\[\^?\]?(?:\[:\^?\w*:\]|\\(?:[pP]\{\^?\w*\}|[\s\S])|[^\]\\])*\]?/uy;
const GROUP = /\((?:\?(?:P?<\w*>|[a-zA-Z]*(?:-[a-zA-Z]*)?:))?/y;
const FLAGS = /\(\?[a-zA-Z]*(?:-[a-zA-Z]*)?\)/y;
const REPEAT = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;

interface Open {
  /** Size of everything before the last piece. */
  before: number;
  /** Size of the last piece, to which a count applies. */
  last: number;
}

/** A lower bound of the number of instructions. */
export function programBound(pattern: string): number {
  const open: Open[] = [{ before: FRAME, last: 0 }];
  for (let at = 0; at < pattern.length; ) {
    const here = open.at(-1) ?? { before: 0, last: 0 };
    const found = pieceAt(pattern, at);
    at += found.length;
    if (found.kind === 'repeat') here.last = repeated(here.last, found.text);
    else if (found.kind === 'open') open.push({ before: FRAME, last: 0 });
    else if (found.kind === 'close' && open.length > 1) {
      open.pop();
      advance(open.at(-1) ?? here, here.before + here.last);
    } else if (found.kind !== 'flags') advance(here, found.kind === 'quote' ? found.length : FORK); // a count after flags applies to what precedes them
  }
  return open.reduce((sum, { before, last }) => sum + before + last, 0);
}

interface Piece {
  readonly kind: 'atom' | 'quote' | 'open' | 'close' | 'flags' | 'repeat';
  readonly length: number;
  readonly text: string;
}

const KINDS = [
  ['flags', FLAGS],
  ['open', GROUP],
  ['repeat', REPEAT],
  ['atom', CLASS],
] as const;

function pieceAt(pattern: string, at: number): Piece {
  const match = (expression: RegExp) => {
    expression.lastIndex = at;
    return expression.exec(pattern)?.[0];
  };
  const escaped = match(ESCAPE);
  if (escaped !== undefined)
    return { kind: escaped.startsWith('\\Q') ? 'quote' : 'atom', length: escaped.length, text: escaped };
  for (const [kind, expression] of KINDS) {
    const text = match(expression);
    if (text !== undefined) return { kind, length: text.length, text };
  }
  const text = pattern.charAt(at);
  return { kind: text === ')' ? 'close' : 'atom', length: 1, text };
}

function advance(open: Open, size: number): void {
  open.before += open.last;
  open.last = size;
}

/** A repeated piece is unrolled as often as its count. */
function repeated(size: number, text: string): number {
  const [, least, comma, most] = /^\{(\d+)(,(\d*))?\}/.exec(text) ?? [];
  if (least === undefined) return size + FORK;
  const times = Math.max(Number(least) + (comma === ',' ? 1 : 0), Number(most ?? 0), 1);
  return times * (size + FORK);
}

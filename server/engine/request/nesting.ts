// How deep a JSON text goes, so that nothing that walks its value can run out of stack. Reads no value: the text is enough.

/** Deeper than anything here goes that is walked, and far from the end of the stack. The standard allows such a limit (RFC 8259, 9). */
export const DEEPEST_JSON = 500;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What keeps a JSON text from being taken: it is nested too deep. */
export function nestingProblem(text: string, deepest = DEEPEST_JSON): string | undefined {
  if (text.length <= 2 * deepest) return undefined; // what is opened is closed
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    if (depth > deepest) return `It is nested more than ${deepest} levels deep, from character ${at + 1} on`;
  }
  return undefined;
}

/** Where the string that begins here ends; of one that does not, the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

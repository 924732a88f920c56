// The depth of a JSON text, computed without parsing it, so that recursive readers cannot overflow the stack.

/** Deeper than anything here needs, and far from the end of the stack. RFC 8259, 9 allows such a limit. */
export const DEEPEST_JSON = 500;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The error of a JSON text that is nested too deep. */
export function nestingProblem(text: string, deepest = DEEPEST_JSON): string | undefined {
  if (text.length <= 2 * deepest) return undefined; // brackets are balanced in valid JSON
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    if (depth > deepest) return `It is nested more than ${deepest} levels deep, starting at character ${at + 1}`;
  }
  return undefined;
}

/** The end of the string that begins here; of an unclosed one, the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

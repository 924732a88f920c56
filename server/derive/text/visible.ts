// Text as it may be shown to people: what would steer a terminal, or turn the order of letters around, is spelled out.
// Answers of foreign servers are shown too, so nothing is taken for granted. Knows no terminal.

/** Controls, lone halves of pairs, and what is invisible or turns the direction of writing. */
export const UNSEEN =
  /[\p{Cc}\p{Cs}\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e0fff}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text in which everything can be seen, on one line. */
export function visible(text: string): string {
  return text.replace(UNSEEN, char => short[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same with its lines, without carriage returns before their ends. */
export function visibleLines(text: string): string[] {
  return text.split(/\r?\n/).map(visible);
}

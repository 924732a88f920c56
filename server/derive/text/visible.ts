// Escapes text for display: terminal control sequences, invisible characters and changes of writing direction. Responses of foreign servers are
// untrusted.

/** Control characters, lone surrogates, invisible characters and direction marks. */
export const UNSEEN =
  /[\p{Cc}\p{Cs}\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e0fff}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escaped text on one line. */
export function visible(text: string): string {
  return text.replace(UNSEEN, char => short[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escaped text with its line breaks, without carriage returns. */
export function visibleLines(text: string): string[] {
  return text.split(/\r?\n/).map(visible);
}

/** Text of several lines, as YAML's `|` and `>` write it, on one. */
export function onOneLine(text: string): string {
  const lines = text.split(/\r?\n/).map(line => line.trim());
  return lines.filter(line => line !== '').join(' ');
}

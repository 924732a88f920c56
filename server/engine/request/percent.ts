// Percent-encoding, as it comes in paths and queries: the text that is written so, or that there is none. Knows no URL.

/** The text; `undefined` where a percent sign is not followed by the hexadecimal digits of UTF-8 text. */
export function decoded(written: string): string | undefined {
  if (!written.includes('%')) return written;
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined; // nothing else is thrown there
  }
}

/** The same where `+` stands for a blank, as in a query. */
export function decodedInQuery(written: string): string | undefined {
  return decoded(written.replaceAll('+', ' '));
}

export function decodes(written: string): boolean {
  return decoded(written) !== undefined;
}

// Percent-decoding of paths and queries.

/** The text; `undefined` for a percent sign without hexadecimal digits of UTF-8 text. */
export function decoded(written: string): string | undefined {
  if (!written.includes('%')) return written;
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined; // nothing else is thrown there
  }
}

/** In a query, `+` is a blank. */
export function decodedInQuery(written: string): string | undefined {
  return decoded(written.replaceAll('+', ' '));
}

export function decodes(written: string): boolean {
  return decoded(written) !== undefined;
}

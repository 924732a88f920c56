// Texts that may be URLs.

/**
 * The URL; `undefined` if it is not one.
 * `URL.canParse` cannot be used: in Node 20 and 22, after some thousand calls, it refuses every text beyond ASCII.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export function withoutEndingSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

// A text that may be JSON.

/** Its value; `otherwise` if it is not JSON. */
export function parsedJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

// One request as large as the defaults accept it, and what has to be there before it is sent.

/** A request to the sandbox `s`, and below its path where that begins with `/rest`. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Stall {
  readonly name: string;
  /** The scenario that the sandbox begins with. */
  readonly world: string;
  readonly before?: readonly Asked[];
  readonly asked: Asked;
}

export const WIKI = '/rest/cwxapiextension/latest';
export const PPF = '/rest/cwx-ppf/latest';
export const SANDBOX = '/_fake/v1/sandboxes/s';

/** What a body may have under the default of `--max-body`. */
export const BODY = 1_048_576;

export const post = (path: string, body?: unknown): Asked => ({ method: 'POST', path, body });

/** Elements that a list may have. */
const MAX_ELEMENTS = 10_000;

/** As many elements as a list may have, and as a body holds besides some other text. */
export function filling<T>(element: (i: number) => T, besides = 200): T[] {
  const elements: T[] = [];
  for (let left = BODY - besides; ; ) {
    const next = element(elements.length);
    left -= Buffer.byteLength(JSON.stringify(next)) + 1;
    if (left < 0 || elements.length === MAX_ELEMENTS) return elements;
    elements.push(next);
  }
}

/** A text that with its quotes and some other text fills a body. */
export function longText(unit: string, besides = 300): string {
  return unit.repeat(Math.floor((BODY - besides) / Buffer.byteLength(unit)));
}

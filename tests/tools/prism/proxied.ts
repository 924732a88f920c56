// Targets that are asked through a validating proxy, which holds the document of the readings that count for each request; and what it found.
// Judges nothing.
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { parseReadings } from '../../../server/engine/request/readings.js';
import { layReadings, type Readings } from '../../../server/operations/gaps/gaps.js';
import type { RawResponse, Target } from '../../../server/scenario/play/target.js';
import { type Exchange, ValidatingProxy } from './validating-proxy.js';

/** A proxy for each document. */
export class Proxies {
  readonly #byReadings = new Map<string, Promise<ValidatingProxy>>();
  readonly #byDocument = new Map<string, Promise<ValidatingProxy>>();

  /** How many documents have been held. */
  get documents(): number {
    return this.#byDocument.size;
  }

  /** The proxy that holds the document under these readings. */
  under(readings: Readings): Promise<ValidatingProxy> {
    const key = JSON.stringify(readings);
    const known = this.#byReadings.get(key) ?? this.#holding(openapiOf(readings));
    this.#byReadings.set(key, known);
    return known;
  }

  async stop(): Promise<void> {
    for (const proxy of this.#byDocument.values()) await (await proxy).stop();
  }

  /** Documents that differ only in what they tell people, or in what is ours, are one to a proxy. */
  #holding(document: object): Promise<ValidatingProxy> {
    const key = JSON.stringify(document, (name, value) =>
      /^(description|examples|x-.*)$/.test(name) ? undefined : value,
    );
    const known = this.#byDocument.get(key) ?? ValidatingProxy.start(document);
    this.#byDocument.set(key, known);
    return known;
  }
}

/** The same target, asked through a proxy. `readings`: those that count where a request chooses none. */
export function through(
  proxies: Proxies,
  target: Target,
  readings: () => Readings,
  note: (exchange: Exchange) => void,
): Target {
  return {
    ...target,
    send: async request => {
      const header = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'x-fake-reading')?.[1];
      const chosen = parseReadings(header ?? '');
      const proxy = await proxies.under(layReadings(readings(), 'readings' in chosen ? chosen.readings : {}));
      const exchange = await proxy.pass(request, async asked => (await target.send(asked)) as RawResponse); // every target here keeps the bytes
      note(exchange);
      return exchange.answered;
    },
  };
}

/** The kinds of violation in what Prism says of a request, each once. */
export function kindsOf(violations: readonly string[]): readonly string[] {
  return [...new Set(violations.map(kindOf))].sort();
}

const kinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Selected route not found/, 'address'],
  [/^Invalid security scheme used/, 'credentials'],
  [/upported content types/, 'content type'],
  [/^(Body parameter is required|Request body)/, 'body'],
  [/^Request path parameter/, 'path'],
  [/^Request query/, 'query'],
];

function kindOf(violation: string): string {
  return kinds.find(([pattern]) => pattern.test(violation))?.[1] ?? violation;
}

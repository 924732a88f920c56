// Cross-origin requests to operations (Fetch standard, "CORS protocol"): refused, except from allowed origins. Never for the control API.
import type { ProblemDetails } from '../exchange/problem-details.js';
import type { Response } from '../exchange/response.js';
import type { Context } from '../incoming/context.js';
import { crossSiteProblem, type Sender } from './cross-site.js';

const REMEDY = 'to allow it, start the server with --cors and that origin';

const METHODS = 'DELETE, GET, HEAD, PATCH, POST, PUT';
const EXPOSED = [
  'X-Fake-Sandbox',
  'X-Fake-Operation',
  'X-Fake-Rules',
  'X-Fake-Gaps',
  'X-Fake-Fault',
  'X-Fake-Stub',
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-FillRate',
  'X-RateLimit-Interval-Seconds',
  'Allow',
  'WWW-Authenticate',
].join(', ');
/** Seconds that a browser may cache a preflight. */
const MAX_AGE = '600';

/** Names and values alternate. */
type HeaderPairs = readonly string[];

export class Cors {
  /** By origin, the headers that let its pages read a response. */
  readonly #granted: ReadonlyMap<string, HeaderPairs>;
  /** Headers of a response to any other client. */
  readonly #others: HeaderPairs;

  constructor(origins: readonly string[]) {
    this.#granted = new Map(origins.map(origin => [origin, granting(origin)]));
    this.#others = origins.length === 0 ? [] : ['Vary', 'Origin'];
  }

  /** The refusal of a request to an operation from a page of another origin, if any. */
  problemIn(request: Sender): ProblemDetails | undefined {
    const { origin } = request.headers;
    if (origin !== undefined && this.#granted.has(origin)) return undefined;
    return crossSiteProblem(request, REMEDY);
  }

  /** The CORS headers of an operation's response. */
  headersFor(origin: string | undefined): HeaderPairs {
    return (origin !== undefined && this.#granted.get(origin)) || this.#others;
  }

  /** Whether a request is the preflight of an allowed origin. */
  isPreflight({ req: { method, headers } }: Context): boolean {
    return (
      method === 'OPTIONS' &&
      headers['access-control-request-method'] !== undefined &&
      headers.origin !== undefined &&
      this.#granted.has(headers.origin)
    );
  }

  preflightResponse(ctx: Context): Response {
    const { origin = '', 'access-control-request-headers': asked } = ctx.req.headers;
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Allow-Methods': METHODS,
        ...(asked !== undefined && { 'Access-Control-Allow-Headers': asked }),
        'Access-Control-Max-Age': MAX_AGE,
        Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      },
    };
  }
}

function granting(origin: string): HeaderPairs {
  return [
    ...['Access-Control-Allow-Origin', origin],
    ...['Access-Control-Allow-Credentials', 'true'],
    ...['Access-Control-Expose-Headers', EXPOSED],
    ...['Vary', 'Origin'],
  ];
}

// The response of a stub to a request that this fake does not model. Pure.
import { parsedJson } from '../../domain/json/parsed-json.js';
import { Provenance } from '../../operations/provenance.js';
import type { RefusalCode } from '../../operations/refusals.js';
import { isBodiless, refusalResponse } from '../request/api-response.js';
import { mergedHeaders } from '../request/headers.js';
import type { Request } from '../request/request.js';
import type { Injected, Result } from '../request/result.js';
import type { DecisionContext } from '../request/stage.js';
import { messageIn } from '../response-message.js';
import type { Armed } from './armed.js';
import { delayOf, withBody } from './injection.js';
import { drawsOf, nearestStub } from './matching.js';
import { type Stub, stubName } from './stub.js';
import { filledStub } from './template.js';

/** Refusals of requests for which there is no operation and no resource. */
const unmodelled: ReadonlySet<RefusalCode> = new Set([
  'bad-address',
  'wrong-case',
  'rest-api-unknown-resource',
  'rest-api-not-served',
  'rest-api-method',
]);

/** Whether a stub may answer instead. */
export function isUnmodelled({ refused }: Pick<Result, 'refused'>): boolean {
  return refused !== undefined && unmodelled.has(refused);
}

/** The result if the armed stub at an index answers: no rule and no reading decides. */
export function responseByStub(
  { refused: _, ...result }: Result,
  { given, matched, fired }: Armed<Stub>,
  index: number,
  request: Request,
  now: string,
): Result & { readonly stub: Injected } {
  const { status = 200, delay } = given;
  const { headers = {}, body } = filledStub(given, request, now, fired + 1);
  const response = withBody({ status, headers: {} }, isBodiless(status) ? undefined : body);
  return {
    ...result,
    rules: [],
    gaps: {},
    response: { ...response, headers: mergedHeaders(response.headers, headers) },
    stub: {
      name: stubName(index, given),
      breakage: delay === undefined ? {} : { delay: delayOf(delay, drawsOf(given, index, matched + 1).delays) },
    },
  };
}

/** The refusal of a request for which no stub is due, with the stub that came nearest. */
export function withNearestStub(
  result: Result,
  stubs: readonly Armed<Stub>[],
  request: Request,
  context: DecisionContext,
): Result {
  const lacking = nearestStub(stubs, request, result, context);
  if (lacking === undefined) return result;
  const { status, headers, body } = result.response;
  const own = body === undefined ? undefined : messageIn(parsedJson(body));
  const message = `${own} ${lacking}`;
  const { body: extended } = refusalResponse(request, new Provenance(context.readings), { status, message });
  return { ...result, nearestStub: lacking, response: { status, headers, body: own === undefined ? body : extended } };
}

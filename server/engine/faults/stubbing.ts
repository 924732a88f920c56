// The response of a stub to a request that this fake does not model. Pure.
import type { RefusalCode } from '../../domain/refusals.js';
import { isBodiless } from '../request/api-response.js';
import { laidOver } from '../request/headers.js';
import type { Injected, Result } from '../request/result.js';
import type { Armed } from './armed.js';
import { delayOf, withBody } from './injection.js';
import { drawsOf } from './matching.js';
import { type Stub, stubName } from './stub.js';

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
  { given, matched }: Armed<Stub>,
  index: number,
): Result & { readonly stub: Injected } {
  const { status = 200, headers = {}, body, delay } = given;
  const response = withBody({ status, headers: {} }, isBodiless(status) ? undefined : body);
  return {
    ...result,
    rules: [],
    gaps: {},
    response: { ...response, headers: laidOver(response.headers, headers) },
    stub: {
      name: stubName(index, given),
      breakage: delay === undefined ? {} : { delay: delayOf(delay, drawsOf(given, index, matched + 1).delays) },
    },
  };
}

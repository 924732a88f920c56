// The HTTP request of a step: its call or raw request, with caller and readings.
import {
  authorization,
  type HttpRequest,
  type Proof,
  readingHeader,
  requestFor,
  type WikiPrefix,
} from '../../derive/sending/call.js';
import { ANONYMOUS, type World } from '../../domain/world/world.js';
import { mergedHeaders } from '../../engine/request/headers.js';
import { anyOperationOf } from '../../operations/catalog/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { As, RawRequest, Step } from '../format/step-format.js';

/** What a request depends on besides its step. */
export interface StepContext {
  /** The world whose users send requests. */
  readonly world: World;
  /** Passwords by user name; they win over those of the world. */
  readonly passwords: ReadonlyMap<string, string>;
  /** Context path of the target, or empty. */
  readonly context: string;
  /** Readings that the target is known to follow: they decide the addresses of its operations. */
  readonly readings: SomeReadings;
  /** Whether to send the readings of the step with its request, which only a fake understands. */
  readonly asksReadings: boolean;
}

/** The request of a step without placeholders; `undefined` if it sends none. */
export function requestOfStep(step: Step, asking: StepContext): HttpRequest | undefined {
  const proof = proofOf(step.as, asking);
  const readings = asking.asksReadings ? step.readings : undefined;
  if (step.request !== undefined) {
    const { context } = addressOf(step, asking, step.request.path.includes('/cwx-ppf/'));
    return rawRequest(step.request, proof, readings, context);
  }
  const operation = anyOperationOf(step.call ?? '');
  if (operation === undefined) return undefined;
  const { path: params, query, body, method = operation.method } = step;
  const call = { as: proof, params, query, body, readings };
  return { ...requestFor(operation, call, addressOf(step, asking, operation.family === 'ppf')), method };
}

const prefixes: Readonly<Record<string, WikiPrefix>> = {
  'rest-api': '/rest/api/cwxapiextension',
  bare: '/cwxapiextension',
};

/** The prefix of the operations: a reading may allow only one. */
function addressOf(
  step: Step,
  { context, readings, asksReadings }: StepContext,
  isPushPull = false,
): { context: string; wikiPrefix?: WikiPrefix } {
  const { readings: own = {} } = step;
  const [nearest, others] = asksReadings ? [own, readings] : [readings, own];
  const wikiPrefix = prefixes[nearest['wiki-prefix'] ?? others['wiki-prefix'] ?? ''];
  const contextPath = isPushPull ? undefined : (nearest['context-path'] ?? others['context-path']);
  return { context: contextUnder(contextPath, context), ...(wikiPrefix !== undefined && { wikiPrefix }) };
}

/** The context path to use: the target's own, or the one that the reading of `context-path` requires. */
export function contextUnder(reading: string | undefined, own: string): string {
  return own === '' && reading?.startsWith('/') ? reading : own;
}

function rawRequest(
  { method, path, headers = {}, body, context }: RawRequest,
  proof: Proof | undefined,
  readings: SomeReadings | undefined,
  targetContext: string,
): HttpRequest {
  const own = { ...(proof !== undefined && { Authorization: authorization(proof) }), ...readingHeader(readings) };
  return {
    method,
    path: `${context ?? targetContext}${path}`,
    headers: mergedHeaders(own, headers),
    ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body.base64, 'base64') }),
  };
}

/** Credentials of a user: the known password, or the user name if any password is accepted. */
function proofOf(as: As | undefined, { world, passwords }: StepContext): Proof | undefined {
  if (as === undefined || as === ANONYMOUS) return undefined;
  if (typeof as !== 'string') return as;
  return { user: as, password: passwords.get(as) ?? world.users.get(as)?.password ?? as };
}

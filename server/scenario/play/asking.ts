// What a step asks, as a request over HTTP: the call or the raw request, who asks, under which readings. Knows no target and sends nothing.
import { authorization, type HttpRequest, type Proof, requestFor, type WikiPrefix } from '../../derive/sending/call.js';
import { ANONYMOUS, type World } from '../../domain/world.js';
import { anyOperationOf } from '../../operations/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { As, RawRequest, Step } from '../format/step-format.js';

/** What surrounds a request. */
export interface Asking {
  /** Whose users ask. */
  readonly world: World;
  /** Passwords by user name, over those of the world. */
  readonly passwords: ReadonlyMap<string, string>;
  /** The context path of the target, empty where it has none. */
  readonly context: string;
  /** What the target is known to follow: they say where its operations are. */
  readonly readings: SomeReadings;
  /** Whether the readings of the step are asked for with its request, as only a fake understands. */
  readonly asksReadings: boolean;
}

/** The request of a step in which nothing is left to fill in; `undefined` where it asks nothing. */
export function requestOf(step: Step, asking: Asking): HttpRequest | undefined {
  const proof = proofOf(step.as, asking);
  const readings = asking.asksReadings ? chosenHeader(step.readings) : {};
  if (step.request !== undefined) return rawRequest(step.request, proof, readings, addressOf(step, asking).context);
  const operation = anyOperationOf(step.call ?? '');
  if (operation === undefined) return undefined;
  const { path: params, query, body, method = operation.method } = step;
  const call = { as: proof, params, query, body, headers: readings };
  return { ...requestFor(operation, call, addressOf(step, asking)), method };
}

const prefixes: Readonly<Record<string, WikiPrefix>> = {
  'rest-api': '/rest/api/cwxapiextension',
  bare: '/cwxapiextension',
};

/** Where the operations are: a reading may leave only one place. */
function addressOf(
  step: Step,
  { context, readings, asksReadings }: Asking,
): { context: string; wikiPrefix?: WikiPrefix } {
  const followed = asksReadings ? { ...readings, ...step.readings } : { ...step.readings, ...readings };
  const wikiPrefix = prefixes[followed['wiki-prefix'] ?? ''];
  return { context: contextUnder(followed, context), ...(wikiPrefix !== undefined && { wikiPrefix }) };
}

/** The context path to ask below: the target's own, else the one that a reading gives it. */
export function contextUnder({ 'context-path': path }: SomeReadings, own: string): string {
  return own === '' && path?.startsWith('/') ? path : own;
}

function rawRequest(
  { method, path, headers = {}, body, context }: RawRequest,
  proof: Proof | undefined,
  readings: Readonly<Record<string, string>>,
  targetContext: string,
): HttpRequest {
  const isNamed = Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
  return {
    method,
    path: `${context ?? targetContext}${path}`,
    headers: {
      ...(proof !== undefined && !isNamed && { Authorization: authorization(proof) }),
      ...readings,
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body.base64, 'base64') }),
  };
}

/** A user of the world proves it by the password that is known, or, where any will do, by its own name. */
function proofOf(as: As | undefined, { world, passwords }: Asking): Proof | undefined {
  if (as === undefined || as === ANONYMOUS) return undefined;
  if (typeof as !== 'string') return as;
  return { user: as, password: passwords.get(as) ?? world.users.get(as)?.password ?? as };
}

function chosenHeader(readings: SomeReadings | undefined): Readonly<Record<string, string>> {
  const pairs = Object.entries(readings ?? {}).map(([gap, reading]) => `${gap}=${reading}`);
  return pairs.length === 0 ? {} : { 'X-Fake-Reading': pairs.join(', ') };
}

// The shape of a stage of a request, with the refusals, gaps and rules it may use.

import type { World } from '../../domain/world/world.js';
import type { GapId, Readings } from '../../operations/gaps/gaps.js';
import type { Operation } from '../../operations/operation.js';
import type { Caller, Decision } from '../../operations/operation-context.js';
import type { Grounds, Provenance } from '../../operations/provenance.js';
import type { RefusalCode } from '../../operations/refusals.js';
import { type ExpansionTree, noExpansion as nothingWanted } from '../../operations/rest-api/expansion.js';
import type { AnyOperation, RestResource } from '../../operations/rest-api/resource.js';
import type { Request } from './request.js';

export interface DecisionContext {
  readonly world: World;
  readonly readings: Readings;
  /** The sandbox's time, as an ISO 8601 instant in UTC. */
  readonly now: string;
  readonly unusable?: UnusableSandbox;
}

export interface UnusableSandbox {
  readonly code: 'sandbox-name' | 'sandbox-unknown' | 'store-unavailable' | 'no-room';
  readonly message: string;
}

const nothing: Readonly<Record<string, never>> = Object.freeze({});
const none: readonly string[] = Object.freeze([]);

export class RequestState {
  /** After the stage `method`. */
  operation: AnyOperation | undefined = undefined;
  /** After the stage `caller`. */
  caller: Caller | undefined = undefined;
  expand: readonly string[] = none;
  /** The names as a tree, for a resource: it has something to expand. */
  wanted: ExpansionTree = nothingWanted;
  query: Readonly<Record<string, unknown>> = nothing;
  body: unknown = undefined;
  methods: readonly string[] | undefined = undefined;

  constructor(
    readonly request: Request,
    readonly context: DecisionContext,
  ) {}
}

/** After the stage `method`. */
export interface OperationProgress extends RequestState {
  operation: AnyOperation;
}

/** After the stage `caller`. */
export interface CallerProgress extends OperationProgress {
  caller: Caller;
}

/** A list of names, or a function of an operation. */
type Declared<N> = readonly N[] | ((operation: Operation) => readonly N[]);

/** One step of a stage for some operations. */
export interface StageStep {
  /** Its name in the ledger. */
  readonly name: string;
  /** Whether requests to the operation can meet it, once path and method are known. */
  readonly concerns: (operation: Operation) => boolean;
  readonly refusals?: Declared<RefusalCode>;
  readonly gaps?: Declared<GapId>;
  readonly rules?: Declared<string>;
  /** Whether its refusal is about the operation's subject: then the guide lists it there. */
  readonly isSpecific?: true;
}

type NamesIn<D> = D extends readonly (infer N)[] | ((operation: Operation) => readonly (infer N)[]) ? N : never;
type Named<S, K extends keyof StageStep, N> = S extends { readonly [P in K]: infer D } ? NamesIn<D> & N : never;

export interface Stage {
  readonly name: string;
  readonly steps: readonly StageStep[];
  /** Passes the request on, or ends it. Earlier stages have run. */
  run(progress: RequestState, given: Provenance): Decision | undefined;
}

/** Declares a stage. `run` compiles only with the refusals, gaps and rules of its steps. */
export function stage<const S extends readonly StageStep[], P extends RequestState>(declared: {
  readonly name: string;
  readonly steps: S;
  readonly run: (
    progress: P,
    given: Grounds<
      Named<S[number], 'refusals', RefusalCode>,
      Named<S[number], 'gaps', GapId>,
      Named<S[number], 'rules', string>
    > &
      Pick<Provenance, 'readUnder'>,
  ) => Decision | undefined;
}): Stage {
  return declared;
}

export const everyOperation = (): boolean => true;
/** For requests that reach no operation. */
export const noOperation = (): boolean => false;

export function isResource(operation: AnyOperation): operation is RestResource {
  return operation.family !== 'wiki' && operation.family !== 'ppf';
}

export function namesOf<N>(declared: Declared<N> | undefined, operation: Operation): readonly N[] {
  return typeof declared === 'function' ? declared(operation) : (declared ?? []);
}

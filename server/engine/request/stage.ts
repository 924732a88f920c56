// The shape of a stage: one thing that a request has to pass, with what it may refuse, ask and name there. Knows no single stage.
import type { RefusalCode } from '../../domain/refusals.js';
import type { World } from '../../domain/world.js';
import type { GapId, Readings } from '../../operations/gaps/gaps.js';
import { nothing as nothingWanted, type Wanted } from '../../operations/hosts/expansion.js';
import type { AnyOperation } from '../../operations/hosts/resource.js';
import type { Operation } from '../../operations/operation.js';
import type { Caller, Decision } from '../../operations/operation-context.js';
import type { Grounds, Provenance } from '../../operations/provenance.js';
import type { Request } from './request.js';

/** What a request is performed on. */
export interface DecisionContext {
  readonly world: World;
  readonly readings: Readings;
  /** The sandbox's time, as an ISO 8601 instant in UTC. */
  readonly now: string;
  /** Why the request has no sandbox to be performed in. */
  readonly unusable?: UnusableSandbox;
}

export interface UnusableSandbox {
  readonly code: 'sandbox-name' | 'sandbox-unknown' | 'store-unavailable' | 'no-room';
  readonly message: string;
}

const nothing: Readonly<Record<string, never>> = Object.freeze({});
const none: readonly string[] = Object.freeze([]);

/** A request on its way, with what the stages behind it have found out. */
export class Progress {
  /** Since the stage `method`. */
  operation: AnyOperation | undefined = undefined;
  /** Since the stage `caller`. */
  caller: Caller | undefined = undefined;
  /** What `expand` asks for. */
  expand: readonly string[] = none;
  /** The same for a resource of a host, which has something to expand. */
  wanted: Wanted = nothingWanted;
  /** The validated query and body. */
  query: Readonly<Record<string, unknown>> = nothing;
  body: unknown = undefined;
  /** The methods to be listed in `Allow`. */
  methods: readonly string[] | undefined = undefined;

  constructor(
    readonly request: Request,
    readonly context: DecisionContext,
  ) {}
}

/** Behind the stage `method`. */
export interface OperationProgress extends Progress {
  operation: AnyOperation;
}

/** Behind the stage `caller`. */
export interface CallerProgress extends OperationProgress {
  caller: Caller;
}

/** A list of names, or those that an operation declares. */
type Declared<N> = readonly N[] | ((operation: Operation) => readonly N[]);

/** What may happen at a stage to the requests for some operations. */
export interface Step {
  /** As the ledger names it. */
  readonly name: string;
  /** Whether a request for the operation can meet it once path and method have led to the operation. */
  readonly concerns: (operation: Operation) => boolean;
  readonly refusals?: Declared<RefusalCode>;
  readonly gaps?: Declared<GapId>;
  readonly rules?: Declared<string>;
  /** What it refuses is about the subject of the operation: the guide lists it there. */
  readonly isSpecific?: true;
}

type NamesIn<D> = D extends readonly (infer N)[] | ((operation: Operation) => readonly (infer N)[]) ? N : never;
type Named<S, K extends keyof Step, N> = S extends { readonly [P in K]: infer D } ? NamesIn<D> & N : never;

export interface Stage {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Lets the request pass, or ends it. Called in the order of the list, so it finds what the stages before it have found out. */
  run(progress: Progress, given: Provenance): Decision | undefined;
}

/** Declares a stage. What `run` may refuse, ask and name follows from its steps: anything else does not compile. */
export function stage<const S extends readonly Step[], P extends Progress>(declared: {
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
/** A request that meets it has been led to no operation. */
export const noOperation = (): boolean => false;

/** The names that are declared, for an operation. */
export function namesOf<N>(declared: Declared<N> | undefined, operation: Operation): readonly N[] {
  return typeof declared === 'function' ? declared(operation) : (declared ?? []);
}

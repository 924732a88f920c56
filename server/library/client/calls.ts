// The types of calls and answers, worked out from the operation objects: what each takes, what it replies, and what it is called.
// Nothing here is there at run time.
import type { catalog, HostId, OperationId } from '../../operations/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { hostCatalog } from '../../operations/hosts/host-catalog.js';
import type { ReplyOf } from '../../operations/operation.js';

type OperationOf<Id extends OperationId> = Extract<(typeof catalog)[number], { readonly id: Id }>;
type HostResourceOf<Id extends HostId> = Extract<(typeof hostCatalog)[number], { readonly id: Id }>;

/** Params, query and body, as `decide` gets them. */
type InputOf<Id extends OperationId> = Parameters<OperationOf<Id>['decide']>[0]['input'];
/** Whether a part of an input says nothing of what it holds, since the operation declares none. */
type IsOpen<T> = unknown extends T ? true : string extends keyof T ? true : false;
type DeclaredParts<Input> = { [Name in keyof Input as IsOpen<Input[Name]> extends true ? never : Name]: Input[Name] };

interface Besides {
  /** Readings for this call alone. */
  readonly readings?: SomeReadings;
  /** They take the place of those that would be sent otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an operation is asked: all that it declares is due. */
export type CallOf<Id extends OperationId> = DeclaredParts<InputOf<Id>> & Besides;

/** What a resource of a host takes in its query: nothing of it is due. */
type HostQuery<Query> = { readonly [Name in keyof Query]?: Query[Name] } & {
  /** Names to be shown in full; a dot leads into another entity. */
  readonly expand?: string | readonly string[];
};
type HostParts<Input> = Input extends { readonly query: infer Query }
  ? Omit<DeclaredParts<Input>, 'query'> & {
      readonly query?: HostQuery<IsOpen<Query> extends true ? Record<never, never> : Query>;
    }
  : never;

/** What a resource of a host is asked. */
export type HostCallOf<Id extends HostId> = HostParts<Parameters<HostResourceOf<Id>['decide']>[0]['input']> & Besides;

/** The arguments of a call; it may be left out where nothing is due. */
type Asked<T> = Record<never, never> extends T ? [call?: T] : [call: T];

interface Told {
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The rules that decided the answer, as far as it says so. */
  readonly rules: readonly string[];
  /** The readings that decided the answer by their gaps, as far as it says so. */
  readonly gaps: Readonly<Record<string, string>>;
}

type AsAnswered<Reply> = Reply extends { readonly status: infer Status }
  ? Told & {
      readonly ok: true;
      readonly status: Status;
      readonly body: Reply extends { readonly body: infer Body } ? Body : undefined;
    }
  : never;

/** An answer outside the operation's replies: a refusal, or what a fault or another server makes of it. */
export interface NotOk extends Told {
  readonly ok: false;
  readonly status: number;
  /** What the body says of the reason, where it has the form of a refusal. */
  readonly message?: string;
  /** Parsed where it is JSON, else its text; `undefined` where there is none. */
  readonly body: unknown;
}

/** The answer to an operation. `ok`: status and body are those of a reply that the operation declares. */
export type AnswerTo<Id extends OperationId> = AsAnswered<ReplyOf<OperationOf<Id>['replies'][number]>> | NotOk;

/** The answer to a resource of a host. `ok`: status and body are those of a reply that it declares. */
export type HostAnswerTo<Id extends HostId> = AsAnswered<ReplyOf<HostResourceOf<Id>['replies'][number]>> | NotOk;

type HostMethod<Id extends HostId> = (...call: Asked<HostCallOf<Id>>) => Promise<HostAnswerTo<Id>>;

/** `hosts.wiki-space` as `wikiSpace`. */
export type HostMethods = { readonly [Id in HostId as MethodName<'hosts', Id>]: HostMethod<Id> };

type Method<Id extends OperationId> = (...call: Asked<CallOf<Id>>) => Promise<AnswerTo<Id>>;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type ResourceOf<Id extends string> = Id extends `${infer Resource}.${string}` ? Resource : never;
type MethodName<Resource extends string, Id extends string> = Id extends `${Resource}.${infer Name}`
  ? Camel<Name>
  : never;

/** `groups.add-users` as `groups.addUsers`. */
export type Resources = {
  readonly [R in ResourceOf<OperationId>]: { readonly [Id in OperationId as MethodName<R, Id>]: Method<Id> };
};

export interface Client extends Resources {
  /** The hosts' own resources, for what operations do not tell. */
  readonly hosts: HostMethods;
  /** Asks an operation by its id. */
  call<Id extends OperationId>(id: Id, ...call: Asked<CallOf<Id>>): Promise<AnswerTo<Id>>;
}

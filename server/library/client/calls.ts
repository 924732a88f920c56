// The types of calls and responses, derived from the operation objects. Types only.
import type { catalog, OperationId, ResourceId } from '../../operations/catalog/catalog.js';
import type { resourceCatalog } from '../../operations/catalog/resource-catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { ReplyOf } from '../../operations/operation.js';

type OperationOf<Id extends OperationId> = Extract<(typeof catalog)[number], { readonly id: Id }>;
type RestResourceOf<Id extends ResourceId> = Extract<(typeof resourceCatalog)[number], { readonly id: Id }>;

/** Params, query and body, as `decide` gets them. */
type InputOf<Id extends OperationId> = Parameters<OperationOf<Id>['decide']>[0]['input'];
/** Whether a part of an input is undeclared. */
type IsOpen<T> = unknown extends T ? true : string extends keyof T ? true : false;
type DeclaredParts<Input> = { [Name in keyof Input as IsOpen<Input[Name]> extends true ? never : Name]: Input[Name] };

interface Besides {
  /** Readings for this call only. */
  readonly readings?: SomeReadings;
  /** Replace headers that would be sent otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The input of an operation: all declared parts are required. */
export type CallOf<Id extends OperationId> = DeclaredParts<InputOf<Id>> & Besides;

/** The query of a resource: all optional. */
type ResourceQuery<Query> = { readonly [Name in keyof Query]?: Query[Name] } & {
  /** Names to expand; a dot leads into another entity. */
  readonly expand?: string | readonly string[];
};
type ResourceParts<Input> = Input extends { readonly query: infer Query }
  ? Omit<DeclaredParts<Input>, 'query'> & {
      readonly query?: ResourceQuery<IsOpen<Query> extends true ? Record<never, never> : Query>;
    }
  : never;

/** The input of a resource. */
type ResourceCallOf<Id extends ResourceId> = ResourceParts<Parameters<RestResourceOf<Id>['decide']>[0]['input']> &
  Besides;

/** The arguments of a call; optional if nothing is required. */
type CallArguments<T> = Record<never, never> extends T ? [call?: T] : [call: T];

interface ResponseBase {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The rules that decided, as far as the response says so. */
  readonly rules: readonly string[];
  /** The readings that decided by gap, as far as the response says so. */
  readonly gaps: Readonly<Record<string, string>>;
}

type AsResponse<Reply> = Reply extends { readonly status: infer Status }
  ? ResponseBase & {
      readonly ok: true;
      readonly status: Status;
      readonly body: Reply extends { readonly body: infer Body } ? Body : undefined;
    }
  : never;

/** A response that the operation does not declare: a refusal, or that of a fault or another server. */
export interface NotOk extends ResponseBase {
  readonly ok: false;
  readonly status: number;
  /** The reason in the body, if it has the format of a refusal. */
  readonly message?: string;
  /** Parsed JSON, else text; `undefined` if there is none. */
  readonly body: unknown;
}

/** The response of an operation. `ok`: status and body are those of a declared reply. */
export type ResponseTo<Id extends OperationId> = AsResponse<ReplyOf<OperationOf<Id>['replies'][number]>> | NotOk;

/** The response of a resource. `ok`: status and body are those of a declared reply. */
type ResourceResponseTo<Id extends ResourceId> = AsResponse<ReplyOf<RestResourceOf<Id>['replies'][number]>> | NotOk;

type ResourceMethod<Id extends ResourceId> = (
  ...call: CallArguments<ResourceCallOf<Id>>
) => Promise<ResourceResponseTo<Id>>;

type Method<Id extends OperationId> = (...call: CallArguments<CallOf<Id>>) => Promise<ResponseTo<Id>>;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type ResourceOf<Id extends string> = Id extends `${infer Resource}.${string}` ? Resource : never;
type MethodName<Resource extends string, Id extends string> = Id extends `${Resource}.${infer Name}`
  ? Camel<Name>
  : never;

/** `groups.add-users` becomes `groups.addUsers`. */
export type Resources = {
  readonly [R in ResourceOf<OperationId>]: { readonly [Id in OperationId as MethodName<R, Id>]: Method<Id> };
};

/** `confluence.user-groups` becomes `confluence.userGroups`. */
type RestApi = {
  readonly [R in ResourceOf<ResourceId>]: { readonly [Id in ResourceId as MethodName<R, Id>]: ResourceMethod<Id> };
};

export interface Client extends Resources, RestApi {
  /** Calls an operation by its id. */
  call<Id extends OperationId>(id: Id, ...call: CallArguments<CallOf<Id>>): Promise<ResponseTo<Id>>;
}

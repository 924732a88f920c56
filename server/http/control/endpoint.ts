// The shape of an endpoint of the control API: one declarative object each, from which its routes and its OpenAPI document are derived.
import type { Witnesses } from '../../derive/ledger.js';
import type { Session } from '../../engine/session.js';
import type { JsonSchema } from '../../operations/schema.js';
import type { Folders } from '../../scenario/folders.js';
import type { KeptScenarios } from '../../scenario/kept.js';
import type { Players } from '../../scenario/play/players.js';

/** What the control API knows of the server it controls. */
export interface Controlled {
  readonly session: Session;
  readonly folders: Folders;
  readonly scenarios: KeptScenarios;
  readonly players: Players;
  /** Who has seen each rule and each reading at work. */
  readonly witnesses: () => Promise<Witnesses>;
  /** All endpoints, for the document about them. */
  readonly endpoints: readonly ControlEndpoint[];
  readonly version: string;
}

export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Validated against the endpoint's schema. */
  readonly body: unknown;
}

export interface ControlAnswer {
  readonly status: number;
  /** Absent: there is no body. */
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
}

export interface ControlEndpoint {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/_fake/v1`, `{s}` standing for the name of a sandbox. */
  readonly path: string;
  readonly summary: string;
  /** Query parameters, all of them optional. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Absent: the endpoint takes no body. */
  readonly body?: JsonSchema;
  /** Whether the body may be left out, as if it were `{}`. */
  readonly bodyOptional?: true;
  readonly replies: Readonly<
    Record<number, { readonly description: string; readonly schema?: JsonSchema; readonly contentType?: string }>
  >;
  handle(call: Call, controlled: Controlled): Promise<ControlAnswer>;
}

/** A refusal of the control API, as a problem (RFC 9457). `problems` lists each thing that is wrong. */
export function problem(status: number, title: string, detail: string, problems?: readonly object[]): ControlAnswer {
  return {
    status,
    contentType: 'application/problem+json',
    body: { status, title, detail, ...(problems && { problems }) },
  };
}

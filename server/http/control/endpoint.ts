// The shape of an endpoint of the control API: one declarative object each, from which its routes and its OpenAPI document are derived.
import type { ServerResponse } from 'node:http';
import type { Feeds } from '../../engine/events/feeds.js';
import type { Log } from '../../engine/log.js';
import type { Session } from '../../engine/sandbox/session.js';
import type { JsonSchema } from '../../operations/schema.js';
import type { Folders } from '../../scenario/load/folders.js';
import type { KeptScenarios } from '../../scenario/load/kept.js';
import type { Players } from '../../scenario/play/players.js';
import type { ProviderSetups } from '../../scenario/states/provider-setups.js';
import type { Tally } from '../metrics.js';
import type { StreamSettings } from './event-stream.js';

/** What the control API knows of the server it controls. */
export interface Controlled {
  readonly session: Session;
  readonly folders: Folders;
  readonly scenarios: KeptScenarios;
  readonly players: Players;
  readonly setups: ProviderSetups;
  /** All endpoints, for the document about them. */
  readonly endpoints: readonly ControlEndpoint[];
  readonly version: string;
  /** Who listens to sandboxes. */
  readonly feeds: Feeds;
  readonly streams: StreamSettings;
  /** What has been counted, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly tally: Tally;
  readonly log: Log;
}

export interface Call {
  /** Where the request reached this server: scheme, host and port, without a slash at the end. */
  readonly root: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The whole query as it came: names in their order, also more than once. */
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>;
  /** What the request names as a sandbox; checked where the endpoint acts in it. */
  readonly sandbox: string;
  /** Validated against the endpoint's schema. */
  readonly body: unknown;
  /** Of the request, by its name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What the request is called in answer and log. */
  readonly requestId: string;
  /** Whether it came over a socket: within a process an answer must come to an end. */
  readonly isOverSocket: boolean;
}

export interface ControlAnswer {
  readonly status: number;
  /** Absent: there is no body. */
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Of a refusal: what is wrong, in words. */
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Writes the answer, in the place of a body, for as long as it goes on; status and headers have been set. */
  readonly stream?: (response: ServerResponse) => Promise<void>;
}

export interface ControlEndpoint {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/_fake/v1`, `{s}` standing for the name of a sandbox. */
  readonly path: string;
  readonly summary: string;
  /** Query parameters, all of them optional. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Whether it takes query parameters of any other name too. */
  readonly anyQuery?: true;
  /** Whether it acts in the sandbox that its own path or header names: then it stands below `/~name` as well. */
  readonly inSandbox?: true;
  /** Whether what is refused is written to the log: who asks does not show it. */
  readonly isUnwatched?: true;
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
    detail,
    body: { status, title, detail, ...(problems && { problems }) },
  };
}

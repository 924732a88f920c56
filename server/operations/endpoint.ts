// What operations, resources of Confluence and Jira, and actions of the control API have in common: routes, checks, documents and clients derive from it.
import type { SomeReadings } from './gaps/gaps.js';
import type { Fields, Schema } from './schema.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One response. */
export interface ReplySpec {
  readonly status: number;
  readonly when: string;
  /** Absent: there is no body. */
  readonly body?: Schema<unknown>;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** The readings under which it is given. */
  readonly under?: SomeReadings;
}

export interface EndpointBody<B> {
  readonly schema: Schema<B>;
  /** Whether an absent body counts as `{}`. */
  readonly isOptional?: true;
}

export interface Endpoint {
  readonly id: string;
  readonly summary: string;
  readonly method: Method;
  /** Below the prefix of its API; `{name}` is a path parameter. */
  readonly path: string;
  readonly params?: Fields;
  readonly query?: Fields;
  /** Absent: it reads no body. */
  readonly body?: EndpointBody<unknown>;
  readonly replies: readonly ReplySpec[];
}

/** The path parameters in order. */
export function paramNames({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** A path with the endpoints that share it. */
export interface SharedPath<E extends Endpoint> {
  readonly path: string;
  readonly endpoints: readonly E[];
}

export function sharedPaths<E extends Endpoint>(endpoints: readonly E[]): SharedPath<E>[] {
  return [...new Set(endpoints.map(({ path }) => path))].map(path => ({
    path,
    endpoints: endpoints.filter(endpoint => endpoint.path === path),
  }));
}

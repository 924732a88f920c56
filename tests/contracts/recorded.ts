// The committed pacts of our consumers: each interaction as a request to send and an expected response.
// Reads the form that Pact writes for our own consumer tests, and no other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpRequest } from '../../server/derive/sending/call.js';

export const pacts = fileURLToPath(new URL('../../contracts/pacts/', import.meta.url));

interface Body {
  readonly content: unknown;
}

export interface Written {
  readonly description: string;
  readonly providerStates: ReadonlyArray<{ readonly name: string; readonly params?: object }>;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, readonly string[]>>;
    readonly headers?: Readonly<Record<string, readonly string[]>>;
    readonly body?: Body;
  };
  readonly response: {
    readonly status: number;
    readonly body?: Body;
    readonly headers?: Readonly<Record<string, readonly string[]>>;
    readonly matchingRules?: {
      readonly status?: { readonly $: { readonly matchers: ReadonlyArray<{ readonly status: string | number[] }> } };
    };
  };
}

export interface PactFile {
  readonly file: string;
  readonly consumer: string;
  readonly provider: string;
  readonly interactions: readonly Written[];
}

/** The pacts of a folder, by their names. */
export function pactsIn(folder: string = pacts): PactFile[] {
  return readdirSync(folder)
    .sort()
    .map(file => {
      const { consumer, provider, interactions } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return { file, consumer: consumer.name, provider: provider.name, interactions };
    });
}

export function requestOf({ request: { method, path, query = {}, headers = {}, body } }: Written): HttpRequest {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return {
    method,
    path: pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(', ')])),
    ...(body !== undefined && { body: JSON.stringify(body.content) }),
  };
}

/** Whether an interaction asserts just this status, only a class, or one of several including it. */
export function allowsStatus({ response: { status, matchingRules } }: Written, answered: number): boolean {
  const allowed = matchingRules?.status?.$.matchers[0]?.status ?? [status];
  return allowed === 'success' ? answered >= 200 && answered < 300 : allowed.includes(answered as never);
}

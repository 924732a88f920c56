// Runs a case of a row through one of the two interfaces, or sends a row's invalid requests.
import type { Fake, Sandbox } from '../../server/index.js';
import { type ApiResponse, byHttp } from './interfaces.js';
import { livedIn } from './lived-in.js';
import type { Bad, Case, Row } from './row.js';

/** The sandbox of a case at its start: with a history, or not created yet. */
export async function prepared(fake: Fake, name: string, { isFresh, prepare }: Case): Promise<Sandbox> {
  const sandbox = isFresh ? fake.sandbox(name) : await livedIn(fake, name);
  await prepare?.(sandbox, fake);
  return sandbox;
}

/** Sends the case, in the sandbox of that name. */
export function drive(
  fake: Fake,
  { endpoint }: Row,
  name: string,
  { params, query, body, named }: Case,
): Promise<ApiResponse> {
  const { method, url } = addressed(fake.url, endpoint, { s: name, ...params }, query);
  return byHttp({
    method,
    url: named === 'in path' ? url.replace(fake.url, `${fake.url}/~${name}`) : url,
    body: withName(body, name),
    ...(named === 'in header' && { headers: { 'X-Fake-Sandbox': name } }),
  });
}

/** Sends the invalid request in the same way for every client: the refusal does not depend on it. */
export function driveWrongly(
  fake: Fake,
  { endpoint }: Row,
  name: string,
  { params, query, body, raw }: Bad,
): Promise<ApiResponse> {
  const { method, url } = addressed(fake.url, endpoint, { s: name, name: 'before', ...params }, query);
  const headers = endpoint.endsWith('/provider-states') && { headers: { 'X-Fake-Sandbox': name } };
  return byHttp({ method, url, body: withName(body, name), ...headers, ...(raw !== undefined && { raw }) });
}

/** Method and URL of an endpoint. */
export function addressed(
  base: string,
  endpoint: string,
  params: Readonly<Record<string, string>>,
  query: string | undefined,
): { readonly method: string; readonly url: string } {
  const [method = '', path] = endpoint.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '').split(' ');
  return { method, url: `${base}${path}${query === undefined ? '' : `?${query}`}` };
}

/** A body with S replaced by the name of the sandbox. */
export function withName(body: unknown, name: string): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body).replace(/"S(-\w+)?"/g, `"${name}$1"`));
}

/** Names of the same length, none of which is part of another. */
export function naming(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${String(count).padStart(4, '0')}`;
  };
}

// An example as a request over HTTP, and as the curl command that sends it. Knows addresses, and no server.
import { canonicalPrefix } from '../operations/address.js';
import type { Example, Operation } from '../operations/operation.js';

/** The address and content of an example's request. */
export interface ExampleRequest {
  readonly method: string;
  /** Path and query, from the root of the host. */
  readonly path: string;
  /** The caller, whose password is its name: on the default world that fits. */
  readonly user?: string;
  readonly body?: string;
}

function requestOf(operation: Operation, example: Example): ExampleRequest {
  const { params = {}, query, body, as: user } = example;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return {
    method: operation.method,
    path: `${canonicalPrefix(operation.family)}${path}${search}`,
    ...(user !== undefined && { user }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** The command that sends an example's request to a server at `host`. */
export function curl(operation: Operation, example: Example, host: string): string {
  const { method, path, user, body } = requestOf(operation, example);
  return [
    `curl -i -X ${method} ${quoted(host + path)}`,
    ...(user === undefined ? [] : [`-u ${user}:${user}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** Text as a shell takes it for one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

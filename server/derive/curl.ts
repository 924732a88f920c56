// An example's request as the curl command that sends it. Knows no server.
import type { Example, Operation } from '../operations/operation.js';
import { requestFor } from './call.js';

/** The command that sends an example's request to a server at `host`. Its user's password is its name: on the default world that fits. */
export function curl(operation: Operation, example: Example, host: string): string {
  const { as: user, params, query } = example;
  const { method, path, headers, body } = requestFor(operation, { params, query, body: example.body });
  return [
    `curl -i -X ${method} ${quoted(host + path)}`,
    ...(user === undefined ? [] : [`-u ${user}:${user}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(String(body))}`]),
  ].join(' \\\n  ');
}

/** Text as a shell takes it for one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

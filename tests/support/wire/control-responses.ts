// Checks every response of the control API that a test receives against the document of its endpoint.

import type { Action } from '../../../server/control/actions/action.js';
import { actions } from '../../../server/control/actions.js';
import { contrast, schemaErrors } from '../../../server/engine/request/validate.js';

interface ControlResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly json: unknown;
}

const problemSchema = {
  type: 'object',
  required: ['status', 'title', 'detail'],
  properties: { status: { type: 'integer' }, title: { type: 'string' }, detail: { type: 'string' } },
} as const;

/** Throws where the response to a request to an endpoint is not as documented. What is no endpoint is skipped. */
export function holdToDocument(method: string, url: string, { status, contentType, json }: ControlResponse): void {
  const endpoint = endpointAt(method, new URL(url).pathname);
  const isOff = status === 404 && contentType === 'application/json'; // nobody is there but the operations, which know no such path
  if (endpoint === undefined || isOff) return;
  const reply = endpoint.replies.find(one => one.status === status);
  const expected = status >= 400 ? 'application/problem+json' : (reply?.contentType ?? 'application/json');
  const schema = status >= 400 ? problemSchema : reply?.body;
  const errors = [
    ...(status < 400 && reply === undefined ? ['the status is not documented'] : []),
    ...(status >= 400 && Object(json).status !== status ? ['the body has another status'] : []),
    ...(schema !== undefined && contentType !== expected
      ? [`the content type is ${contentType}, not ${expected}`]
      : []),
    ...(schema !== undefined && expected.includes('json')
      ? schemaErrors(schema, json).map(
          ({ pointer, problem, found }) => `${pointer} ${problem}${contrast(problem, found)}`,
        )
      : []),
  ];
  if (errors.length > 0) throw new Error(`${method} ${url} -> ${status} is not as documented: ${errors.join('; ')}`);
}

function endpointAt(method: string, path: string): Action | undefined {
  const below = /^(?:\/~[^/]+)?\/_fake\/v1(\/.*)$/.exec(path)?.[1];
  if (below === undefined) return undefined;
  return actions.find(
    endpoint => endpoint.method === method && new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(below),
  );
}

// A stub: the response to requests that this fake does not model. Plain data.
import * as Type from '@sinclair/typebox';
import { exact, type Shape, table } from '../../domain/json/shape.js';
import { body, count, delay, requestPath, trigger } from './trigger.js';

/** @internal */
export const stubSchema = exact(
  {
    path: requestPath,
    ...trigger,
    status: Type.Optional(count('The status of the response. Default: 200.', 200, 599)),
    headers: Type.Optional(table(Type.String(), 'Headers of the response.')),
    body: Type.Optional(body),
    delay: Type.Optional(delay),
  },
  { title: 'Stub', description: 'The response to requests at a path that the fake does not model' },
);

/** The response to requests at a path that the fake does not model. */
export type Stub = Shape<typeof stubSchema>;

/** Its number among the stubs of its sandbox, from 1, and the requests it is for: `2 GET /rest/webhooks/1.0`. For journal and header. */
export function stubName(index: number, { method, path }: Stub): string {
  return [String(index + 1), ...(method === undefined ? [] : [method]), path].join(' ');
}

// The common part of the wiki operations: the response of success.
import type { ReplySpec } from '../endpoint.js';
import type { Reading } from '../gaps/gaps.js';
import type { ReplyOf } from '../operation.js';
import type { Asks } from '../operation-context.js';
import { array, boolean, described, object, string, titled } from '../schema.js';

/** The empty object of a success. */
export const emptyObject = titled(
  'EmptyObject',
  described<Readonly<Record<string, never>>>({
    type: 'object',
    additionalProperties: false,
    description: 'An empty object.',
  }),
);
/** The report of the readings called `messages`. */
export const report = titled(
  'WikiReport',
  object(
    { success: boolean('Whether it was done.'), messages: array(string('A message.'), 'Empty on success.') },
    undefined,
    'The report that the vendor gives in a sister product.',
  ),
);

/** The responses of an operation with an undocumented response, by reading. */
export const wikiReplies = [
  { status: 200, when: 'It is done.', body: emptyObject, under: { 'wiki-success': 'object' } },
  { status: 200, when: 'It is done.', under: { 'wiki-success': 'empty' } },
  { status: 204, when: 'It is done.', under: { 'wiki-success': 'no-content' } },
  { status: 200, when: 'It is done.', body: report, under: { 'wiki-success': 'messages' } },
] as const satisfies readonly ReplySpec[];

export type WikiReply = ReplyOf<(typeof wikiReplies)[number]>;

const done = {
  object: { status: 200, body: {} },
  empty: { status: 200 },
  'no-content': { status: 204 },
  messages: { status: 200, body: { success: true, messages: [] } },
} as const satisfies Record<Reading<'wiki-success'>, WikiReply>;

/** The response of a successful wiki operation (gap wiki-success). */
export function wikiSuccess(given: Asks<'wiki-success'>): WikiReply {
  return done[given.deciding('wiki-success')];
}

// What is known of the response of another server.
import * as Type from '@sinclair/typebox';
import { maybe, type Shape, table, typed } from '../../domain/json/shape.js';
import type { GapId } from '../../operations/gaps/gaps.js';

const text = Type.String();
const texts = Type.Array(text);

/** @internal */
export const forwardedSchema = Type.Object(
  {
    to: Type.String({ description: 'The URL of the server that responded.' }),
    duration: Type.Number({ description: 'Milliseconds.' }),
    problem: maybe(text, 'Why the response is incomplete.'),
    headers: maybe(
      table(text),
      'Content-Type and Location of the response. With rewriting, a redirect to the fake is a path.',
    ),
    violations: maybe(texts, 'In a proxy: violations of the document in the request or response, one sentence each.'),
    agrees: maybe(
      typed<Partial<Record<GapId, string[]>>>('Readonly<Partial<Record<GapId, readonly string[]>>>', table(texts)),
      'In a proxy: the readings that the response agrees with, for each gap that it says something about.',
    ),
  },
  { description: 'Another server sent the response, so the entry is not evidence.' },
);
export type Forwarded = Shape<typeof forwardedSchema>;

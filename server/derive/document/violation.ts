// A violation of the document.
import * as Type from '@sinclair/typebox';
import { exact, oneOf, type Shape, typed } from '../../domain/json/shape.js';
import { type GapId, gapIds } from '../../operations/gaps/gaps.js';

export const gapSchema = typed<GapId>('GapId', { enum: gapIds, description: 'The id of a gap.' });

const violation = {
  pointer: Type.String({
    description: 'JSON pointer into that part; empty for the part itself. For a query or header: `/name`.',
  }),
  expected: Type.String({ description: 'What the document says there.' }),
  found: Type.String({ description: 'What the contract has there.' }),
  rule: Type.Optional(
    Type.String({ description: 'The rule that it violates. Without rule and gap: the document does not describe it.' }),
  ),
  gap: Type.Optional(gapSchema),
  nearest: Type.Optional(Type.String({ description: 'The nearest valid name.' })),
};
export const violationSchema = exact(violation);
export type Violation = Shape<typeof violationSchema>;

export const findingSchema = exact(
  { part: oneOf(['method', 'path', 'query', 'header', 'body', 'status', 'reply']), ...violation },
  { description: 'A violation of the document in a contract.' },
);
export type Finding = Shape<typeof findingSchema>;

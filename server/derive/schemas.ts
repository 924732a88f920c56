// The schemas of what each operation takes and answers as documents of their own, each with an address, for validators and editors.
// Knows no file.
import { operations } from '../operations/catalog.js';
import { defaultReadings, type Readings } from '../operations/gaps.js';
import type { Operation } from '../operations/operation.js';
import type { JsonSchema } from '../operations/schema.js';
import { errorSchema, replySchema } from './answer-schema.js';
import { requestSchemas } from './request-schema.js';

export interface SchemaDocument {
  /** As in `ppf.push.body`: the operation and the part, or the family and `refusal`. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Where the schemas are at home. */
const HOME = 'https://cwx-fake.dev/schemas';

/** The schemas of bodies, queries and replies by operation, and of refusals by family, under the readings. */
export function schemaDocuments(readings: Readings = defaultReadings): SchemaDocument[] {
  const families = (['wiki', 'ppf'] as const).flatMap(family =>
    documentOf(`${family}.refusal`, 'The body of a refusal.', errorSchema(family, readings)),
  );
  return [...operations.flatMap(operation => ofOperation(operation, readings)), ...families];
}

function ofOperation(operation: Operation, readings: Readings): SchemaDocument[] {
  const { id, summary } = operation;
  const { body, query } = requestSchemas(operation, readings);
  return [
    ...documentOf(`${id}.body`, `${summary}: the body.`, body),
    ...documentOf(`${id}.query`, `${summary}: the query parameters.`, query),
    ...documentOf(`${id}.reply`, `${summary}: the body of the answer.`, replySchema(operation, readings)),
  ];
}

function documentOf(name: string, title: string, schema: JsonSchema | undefined): SchemaDocument[] {
  if (schema === undefined) return [];
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return [{ name, schema: { $schema, $id: `${HOME}/${name}.schema.json`, title, ...schema } }];
}

// The schemas of each operation as separate documents with addresses, for validators and editors.
import { operations } from '../../operations/catalog/catalog.js';
import {
  defaultReadings,
  gapIds,
  layReadings,
  type Readings,
  readingNames,
  type SomeReadings,
} from '../../operations/gaps/gaps.js';
import type { Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { requestSchemas } from './request-schema.js';
import { errorSchema, replySchema } from './response-schema.js';

export interface SchemaDocument {
  /** Such as `ppf.push.body`: operation and part, or family and `refusal`. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Base address of the schemas. */
const HOME = 'https://cwx-fake.dev/schemas';

/** The schemas of paths, bodies, queries and replies by operation, and of refusals by family, under the readings. */
export function schemaDocuments(readings: Readings = defaultReadings): SchemaDocument[] {
  const families = (['wiki', 'ppf'] as const).flatMap(family =>
    documentOf(`${family}.refusal`, 'The body of a refusal.', under => errorSchema(family, under), readings),
  );
  return [...operations.flatMap(operation => ofOperation(operation, readings)), ...families];
}

function ofOperation(operation: Operation, readings: Readings): SchemaDocument[] {
  const { id, summary } = operation;
  const taken = (part: 'path' | 'body' | 'query') => (under: Readings) => requestSchemas(operation, under)[part];
  const replied = (under: Readings) => replySchema(operation, under);
  return [
    ...documentOf(`${id}.path`, `${summary}: the path parameters.`, taken('path'), readings),
    ...documentOf(`${id}.body`, `${summary}: the body.`, taken('body'), readings),
    ...documentOf(`${id}.query`, `${summary}: the query parameters.`, taken('query'), readings),
    ...documentOf(`${id}.reply`, `${summary}: the body of the response.`, replied, readings),
  ];
}

type Make = (under: Readings) => JsonSchema | undefined;

function documentOf(name: string, title: string, make: Make, readings: Readings): SchemaDocument[] {
  const schema = make(readings);
  if (schema === undefined) return [];
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const shaping = shapedBy(make, readings);
  const $comment = `Where the document leaves a question open, this schema follows the readings ${shaping.join(', ')}.`;
  const about = { $id: `${HOME}/${name}.schema.json`, title, ...(shaping.length > 0 && { $comment }) };
  const { title: _, ...rest } = schema; // an OpenAPI document's name for it
  return [{ name, schema: { $schema, ...about, ...rest } }];
}

/** The readings (`gap=reading`) that influence the schema. */
function shapedBy(make: Make, readings: Readings): string[] {
  const own = JSON.stringify(make(readings));
  const differs = (other: SomeReadings) => JSON.stringify(make(layReadings(readings, other))) !== own;
  return gapIds
    .filter(gap => readingNames(gap).some(reading => differs({ [gap]: reading })))
    .map(gap => `${gap}=${readings[gap]}`);
}

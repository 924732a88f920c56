// One operation in OpenAPI: input, caller, responses, and the rules and gaps behind them.
import { type GapId, gapSpec, type Readings, readingNames } from '../../operations/gaps/gaps.js';
import type { Heading, Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { gapsOf, resourceName, rulesOf } from '../reach.js';
import { bodySchema, dueParameters, isBodyDue, pathSchema, querySchema } from '../schemas/request-schema.js';
import { type DocumentPart, withNamedAlternatives } from './named-schemas.js';
import { parameterReferences, schemesUnder } from './openapi-components.js';
import { examplesOf, parameter, type ServedEndpoint } from './openapi-document.js';
import { responses } from './openapi-responses.js';

/** An operation at an address; with a heading, under the heading's method. */
export function servedOperation(
  operation: Operation,
  address: string,
  readings: Readings,
  heading?: Heading,
): ServedEndpoint {
  const { id, summary, body, examples } = operation;
  return {
    endpoint: operation,
    address,
    ...(heading !== undefined && {
      method: heading.method,
      operationId: `${id}.${heading.method.toLowerCase()}`,
      summary: `${summary} (the method of the heading)`,
    }),
    description: description(operation, readings, heading),
    tag: resourceName(operation),
    security: security(operation, readings),
    parameters: [
      ...pathParameters(operation, readings),
      ...queryParameters(operation, readings),
      ...parameterReferences,
    ],
    ...(body !== undefined && {
      body: {
        schema: withNamedAlternatives(bodySchema(body, readings)),
        isRequired: isBodyDue(body, readings),
        examples,
      },
    }),
    responses: responses(operation, readings),
    more: {
      'x-rules': Object.keys(rulesOf(operation)),
      'x-gaps': Object.fromEntries(gapsOf(operation).map(gap => [gap, readings[gap]])),
    },
  };
}

function description(operation: Operation, readings: Readings, heading: Heading | undefined): string {
  const rules = Object.entries(operation.rules).map(([id, { says, source }]) => `- \`${id}\`: ${says} (${source})`);
  const gaps = gapsOf(operation).map(
    gap => `- \`${gap}=${readings[gap]}\`: ${gapSpec(gap).asks} Or: ${alternatives(gap, readings[gap])}.`,
  );
  const served =
    heading === undefined
      ? []
      : [`Served under ${heading.method} because of \`${heading.gap}=${heading.reading}\`.`, ''];
  return [...served, `Caller: ${operation.access.says}`, '', 'Rules:', '', ...rules, '', 'Gaps:', '', ...gaps].join(
    '\n',
  );
}

function security({ family }: Operation, readings: Readings): DocumentPart[] {
  const required = Object.keys(schemesUnder(readings)).map(name => ({ [name]: [] }));
  return family === 'wiki' && readings['wiki-auth'] === 'open' ? [{}, ...required] : required;
}

function pathParameters({ params = {}, examples }: Operation, readings: Readings): DocumentPart[] {
  const { properties } = pathSchema(params, readings);
  return Object.entries(properties).map(([name, json]) => ({
    ...parameter(name, 'path', true, json),
    ...examplesOf(examples, ({ params: given = {} }) => given[name]),
  }));
}

/** If every text is accepted as true or false, no schema refuses one. */
function booleanForm(json: JsonSchema, readings: Readings): JsonSchema {
  if (json.type !== 'boolean' || readings['query-boolean'] === 'strict') return json;
  const { type: _, ...any } = json;
  return { ...any, type: ['boolean', 'string'] };
}

function queryParameters(operation: Operation, readings: Readings): DocumentPart[] {
  const { properties } = querySchema(operation, readings) as {
    readonly properties: Readonly<Record<string, JsonSchema>>;
  }; // as it makes it
  return Object.entries(properties).map(([name, json]) => ({
    ...parameter(name, 'query', dueParameters(operation, readings).includes(name), booleanForm(json, readings)),
    ...examplesOf(operation.examples, ({ query: given = {} }) => typed(given[name], json)),
  }));
}

/** A query value, typed by its schema. */
function typed(text: string | undefined, { type }: JsonSchema): unknown {
  return text !== undefined && type === 'boolean' ? text === 'true' : text;
}

/** The other readings of a gap in Markdown, with the format of literal ones. */
function alternatives(gap: GapId, reading: string): string {
  const { open } = gapSpec(gap);
  const others = readingNames(gap).filter(name => name !== reading);
  return [...others.map(name => `\`${name}\``), ...(open === undefined ? [] : [open.form])].join(', ');
}

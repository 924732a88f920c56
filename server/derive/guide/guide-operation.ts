// The guide's section about one operation: input, responses, and the rules and gaps behind them.
import { canonicalPrefix } from '../../operations/address.js';
import { statementsOf } from '../../operations/catalog/statements.js';
import { defaultReadings, type GapId, gapSpec } from '../../operations/gaps/gaps.js';
import type { Example, Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { refusalsOf, statusUnder } from '../reach.js';
import { curl } from '../sending/curl.js';
import { code, fenced, markdownTable } from '../text/markdown-syntax.js';

/** The section of an operation. `gaps`: those explained here; the others are explained once for all. */
export function operationGuide(operation: Operation, gaps: readonly GapId[], host: string): string {
  const { id, summary, method, path, family, heading, rules } = operation;
  const also =
    heading === undefined ? '' : ` Also ${code(heading.method)} while ${code(`${heading.gap}=${heading.reading}`)}.`;
  return [
    `### ${id}`,
    '',
    `${summary}: ${code(`${method} ${canonicalPrefix(family)}${path}`)}.${also}`,
    '',
    ...takes(operation),
    ...operation.examples.flatMap(example => shown(operation, example, host)),
    'Rules:',
    '',
    ...Object.entries(rules).map(
      ([rule, { says }]) => `- ${code(rule)}: ${says} (document ${statementsOf(rule).join(', ')})`,
    ),
    '',
    ...(gaps.length === 0 ? [] : ['Gaps:', '', ...gapTable(gaps), '']),
    `Refused with ${refusedWith(operation)}.`,
    '',
  ].join('\n');
}

/** Gaps with their readings, the default in bold. */
export function gapTable(gaps: readonly GapId[]): string[] {
  return markdownTable(
    ['gap', 'question', 'document', 'readings'],
    gaps.map(id => {
      const { asks, readings, open } = gapSpec(id);
      const choices = readings.map(
        ([name, means]) => `${name === defaultReadings[id] ? `**${code(name)}**` : code(name)}: ${means}`,
      );
      return [
        code(id),
        asks,
        statementsOf(id).join(', '),
        [...choices, ...(open === undefined ? [] : [`or ${open.form}`])].join('<br>'),
      ];
    }),
  );
}

function takes({ params = {}, query = {}, body }: Operation): string[] {
  const fields = [
    ...Object.entries(params).map(([name, json]) => field(name, 'path', json)),
    ...Object.entries(query).map(([name, json]) => field(name, 'query', json)),
    ...(body === undefined ? [] : bodyFields(body.schema)),
  ];
  return [...markdownTable(['name', 'in', 'type', 'meaning'], fields), ''];
}

function bodyFields(schema: JsonSchema): string[][] {
  const isList = schema.type === 'array';
  const { properties = {} } = (isList ? schema.items : schema) as { properties?: Readonly<Record<string, JsonSchema>> }; // as the schema builder writes it
  return Object.entries(properties).map(([name, json]) =>
    field(name, isList ? 'each element of the body' : 'body', json),
  );
}

function field(name: string, place: string, json: JsonSchema): string[] {
  return [code(name), place, typeName(json), String(json.description)];
}

function typeName({ type, items }: JsonSchema): string {
  return type === 'array' ? `list of ${(items as JsonSchema).type}` : String(type); // as the schema builder writes it
}

function shown(operation: Operation, example: Example, host: string): string[] {
  const { status, body } = example.response;
  return [
    `${example.title.charAt(0).toUpperCase()}${example.title.slice(1)}:`,
    '',
    ...fenced('sh', curl(operation, example, host)),
    '',
    `Response ${code(String(status))}${body === undefined ? ', without a body.' : ':'}`,
    '',
    ...(body === undefined ? [] : [...fenced('json', JSON.stringify(body)), '']),
  ];
}

/** The statuses of refusals about this operation's own subject, under default readings. */
function refusedWith(operation: Operation): string {
  const own = refusalsOf(operation).filter(({ step }) => step.isSpecific);
  const named = own.flatMap(({ code: name }) => {
    const status = statusUnder(name, defaultReadings);
    return status === undefined ? [] : [`${status} ${code(name)}`];
  });
  return named.sort().join(', ');
}

// The answers of one operation as OpenAPI has them: by status, each with what can lead to it.
import { type RefusalCode, refusalSpec } from '../../domain/refusals.js';
import { defaultReadings, isGapId, type Readings } from '../../operations/gaps/gaps.js';
import type { Example, Operation } from '../../operations/operation.js';
import { gapsOf, refusalsOf, repliesUnder, statusUnder } from '../reach.js';
import { oneOfThese } from '../schemas/answer-schema.js';
import { headerReferences, type Part, refusalContent } from './openapi-components.js';

const challenge: Part = {
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
};

export function responses(operation: Operation, readings: Readings): Part {
  const replies = new Set(repliesUnder(operation, readings).map(({ status }) => status));
  const refused = new Set(refusalsOf(operation).map(({ code }) => statusUnder(code, readings)));
  const answers = [...replies, ...refused].flatMap(status => {
    if (status === undefined) return [];
    return [[status, (replies.has(status) ? success : refusal)(operation, status, readings)] as const];
  });
  return Object.fromEntries(answers);
}

/** A name for an example among the others of its operation. */
export function exampleName({ title }: Example): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function success(operation: Operation, status: number, readings: Readings): Part {
  const replies = repliesUnder(operation, readings).filter(reply => reply.status === status);
  const schema = oneOfThese(replies.flatMap(({ body }) => (body === undefined ? [] : [body.json])));
  return {
    description: [...new Set(replies.map(({ when }) => sentence(when)))].join(' '),
    headers: headerReferences,
    ...(schema !== undefined && content(operation, status, readings, { schema })),
  };
}

function refusal(operation: Operation, status: number, readings: Readings): Part {
  const codes = refusalsOf(operation)
    .map(({ code }) => code)
    .filter(code => statusUnder(code, readings) === status);
  const body = refusalContent(operation.family, readings);
  return {
    description: ['Refused:', '', ...codes.map(code => `- ${why(code, readings)}`)].join('\n'),
    headers: { ...headerReferences, ...(status === 401 && challenge) },
    ...(body !== undefined && content(operation, status, readings, body)),
    'x-refusals': codes,
  };
}

function why(code: RefusalCode, readings: Readings): string {
  const { title, rules = [], gap } = refusalSpec(code);
  const grounds = [...rules, ...(gap !== undefined && isGapId(gap) ? [`${gap}=${readings[gap]}`] : [])];
  return `\`${code}\`: ${title}${grounds.length > 0 ? ` (${grounds.join(', ')})` : ''}.`;
}

function content(operation: Operation, status: number, readings: Readings, body: Part): Part {
  const shown = operation.examples.filter(({ answer }) => answer.status === status && answer.body !== undefined);
  const examples = Object.fromEntries(
    shown.map(example => [exampleName(example), { summary: example.title, value: example.answer.body }]),
  );
  const holds = shown.length > 0 && gapsOf(operation).every(gap => readings[gap] === defaultReadings[gap]);
  return { content: { 'application/json': { ...body, ...(holds && { examples }) } } };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

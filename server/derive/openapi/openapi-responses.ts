// The responses of one operation in OpenAPI: by status, with their reasons.

import { defaultReadings, isGapId, type Readings } from '../../operations/gaps/gaps.js';
import type { Operation } from '../../operations/operation.js';
import { type RefusalCode, refusalSpec } from '../../operations/refusals.js';
import { gapsOf, refusalsOf, repliesUnder, statusUnder } from '../reach.js';
import { oneOfThese } from '../schemas/response-schema.js';
import type { DocumentPart } from './named-schemas.js';
import { headerReferences, refusalContent } from './openapi-components.js';
import { answered, content, type ServedEndpoint } from './openapi-document.js';

const challenge: DocumentPart = {
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
};

export function responses(operation: Operation, readings: Readings): ServedEndpoint['responses'] {
  const replies = new Set(repliesUnder(operation, readings).map(({ status }) => status));
  const refused = new Set(refusalsOf(operation).map(({ code }) => statusUnder(code, readings)));
  return [...replies, ...refused].flatMap(status => {
    if (status === undefined) return [];
    return [[status, (replies.has(status) ? success : refusal)(operation, status, readings)] as const];
  });
}

function success(operation: Operation, status: number, readings: Readings): DocumentPart {
  const replies = repliesUnder(operation, readings).filter(reply => reply.status === status);
  const schema = oneOfThese(replies.flatMap(({ body }) => (body === undefined ? [] : [body])));
  return {
    description: [...new Set(replies.map(({ when }) => sentence(when)))].join(' '),
    headers: headerReferences,
    ...(schema !== undefined && withExamples(operation, status, readings, { schema })),
  };
}

function refusal(operation: Operation, status: number, readings: Readings): DocumentPart {
  const codes = refusalsOf(operation)
    .map(({ code }) => code)
    .filter(code => statusUnder(code, readings) === status);
  const body = refusalContent(operation.family, readings);
  return {
    description: ['Refused:', '', ...codes.map(code => `- ${why(code, readings)}`)].join('\n'),
    headers: { ...headerReferences, ...(status === 401 && challenge) },
    ...(body !== undefined && withExamples(operation, status, readings, body)),
    'x-refusals': codes,
  };
}

function why(code: RefusalCode, readings: Readings): string {
  const { title, rules = [], gap } = refusalSpec(code);
  const grounds = [...rules, ...(gap !== undefined && isGapId(gap) ? [`${gap}=${readings[gap]}`] : [])];
  return `\`${code}\`: ${title}${grounds.length > 0 ? ` (${grounds.join(', ')})` : ''}.`;
}

/** With examples if they hold under the readings. */
function withExamples(operation: Operation, status: number, readings: Readings, body: DocumentPart): DocumentPart {
  const isHeld = gapsOf(operation).every(gap => readings[gap] === defaultReadings[gap]);
  return content({ ...body, ...(isHeld && answered(operation.examples, status)) });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

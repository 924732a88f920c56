// What a journal looks like when it is read over HTTP, for the document about the control API. Shapes only.
import type { JsonSchema } from '../../operations/schema.js';

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const texts: JsonSchema = { type: 'array', items: text };

const otherCase: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['at', 'sent', 'known'],
    properties: {
      at: { type: 'string', description: 'JSON pointer that begins with /body or /query.' },
      sent: text,
      known: { type: 'string', description: 'The name that there is.' },
    },
  },
  description: 'Names that exist in another case.',
};

const entry: JsonSchema = {
  title: 'JournalEntry',
  type: 'object',
  required: ['id', 'at', 'method', 'url', 'request', 'answer', 'rules', 'gaps', 'facts', 'before', 'version'],
  properties: {
    id: integer,
    at: text,
    requestId: { type: 'string', description: 'The X-Request-Id that the request brought.' },
    method: text,
    url: text,
    operation: text,
    endpoint: { type: 'string', description: 'The path that it led to, below its prefix.' },
    base: { type: 'string', description: 'Of a resource of a host: where the links of its answer begin.' },
    params: { type: 'object', additionalProperties: text },
    caller: text,
    unasked: { type: 'string', description: 'Who showed credentials where nobody asked for them.' },
    unproved: { type: 'string', description: 'Why credentials that were shown proved nothing.' },
    readings: { type: 'string', description: 'The readings chosen for this request alone.' },
    unknownQuery: texts,
    repeatedQuery: texts,
    expand: texts,
    request: {
      type: 'object',
      properties: {
        contentType: text,
        body: text,
        unread: { type: 'object', properties: { kind: text }, description: 'What the body is, where it is no JSON.' },
      },
    },
    answer: { type: 'object', properties: { status: integer, body: text } },
    refused: text,
    rules: texts,
    gaps: { type: 'object', additionalProperties: text },
    facts: { type: 'array', items: { type: 'object' } },
    fault: text,
    before: { type: 'integer', description: 'The version on which the answer was decided.' },
    version: { type: 'integer', description: 'The version afterwards.' },
    leaked: { type: 'boolean', description: 'It named no sandbox while another than `default` was in use.' },
    forwarded: {
      type: 'object',
      required: ['to', 'duration'],
      properties: {
        to: { type: 'string', description: 'The URL of the server that has answered.' },
        duration: { type: 'integer', description: 'Milliseconds.' },
        problem: { type: 'string', description: 'Why it gave no whole answer.' },
        departs: { ...texts, description: 'In a proxy: where request or answer are not as the document has it.' },
        agrees: {
          type: 'object',
          additionalProperties: texts,
          description: 'In a proxy: by gap, the readings that the answer agrees with.',
        },
      },
      description: 'Another server has answered: the entry is no evidence.',
    },
    nearest: { type: 'string', description: 'Of a path at which there is nothing: the one that was probably meant.' },
    unreadFields: { ...texts, description: 'JSON pointers to fields of the body that nothing read.' },
    otherCase,
  },
};

export function journalSchema(): JsonSchema {
  return {
    type: 'object',
    required: ['entries', 'evicted'],
    properties: {
      entries: { type: 'array', items: entry },
      evicted: integer,
      leaks: {
        type: 'object',
        required: ['count', 'entries'],
        properties: { count: integer, entries: { type: 'array', items: integer } },
        description: 'Of `default`: the requests that named no sandbox while others were in use.',
      },
    },
  };
}

// The schema of a journal over HTTP.
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
      known: { type: 'string', description: 'The existing name.' },
    },
  },
  description: 'Names that exist in another letter case.',
};

const entry: JsonSchema = {
  type: 'object',
  required: ['id', 'at', 'method', 'url', 'request', 'answer', 'rules', 'gaps', 'facts', 'before', 'version'],
  properties: {
    id: integer,
    at: text,
    requestId: { type: 'string', description: 'The X-Request-Id of the request.' },
    method: text,
    url: text,
    operation: text,
    endpoint: { type: 'string', description: 'The path below its prefix.' },
    base: { type: 'string', description: "Of a host's resource: the base of the links in its answer." },
    params: { type: 'object', additionalProperties: text },
    caller: text,
    unasked: { type: 'string', description: 'User whose credentials were sent although the operation requires none.' },
    unproved: { type: 'string', description: 'Reason why the credentials were rejected.' },
    readings: { type: 'string', description: 'The readings that this request chose.' },
    unknownQuery: texts,
    repeatedQuery: texts,
    expand: texts,
    request: {
      type: 'object',
      properties: {
        contentType: text,
        body: text,
        unread: { type: 'object', properties: { kind: text }, description: 'The kind of body, if it is not JSON.' },
      },
    },
    answer: { type: 'object', properties: { status: integer, body: text } },
    refused: text,
    rules: texts,
    gaps: { type: 'object', additionalProperties: text },
    facts: { type: 'array', items: { type: 'object' } },
    fault: text,
    before: { type: 'integer', description: 'The version before the request.' },
    version: { type: 'integer', description: 'The version after the request.' },
    leaked: { type: 'boolean', description: 'It named no sandbox while others than `default` were in use.' },
    forwarded: {
      type: 'object',
      required: ['to', 'duration'],
      properties: {
        to: { type: 'string', description: 'The URL of the server that answered.' },
        duration: { type: 'integer', description: 'Milliseconds.' },
        problem: { type: 'string', description: 'Why its answer is incomplete.' },
        departs: { ...texts, description: 'In a proxy: violations of the document in the request or answer.' },
        agrees: {
          type: 'object',
          additionalProperties: texts,
          description: 'In a proxy: the readings that the answer agrees with, by gap.',
        },
      },
      description: 'Another server answered, so the entry is no evidence.',
    },
    nearest: { type: 'string', description: 'Nearest existing path, if the requested one does not exist.' },
    unreadFields: { ...texts, description: 'JSON pointers to unread fields of the body.' },
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

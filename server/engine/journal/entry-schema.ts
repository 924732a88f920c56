// The form of a journal entry: as it is read over HTTP, written by a store and kept in a capsule. Shapes only.
import { type JsonSchema, type MemberSchemas, schemaOf } from '../../operations/schema.js';
import type { EntryView, OtherCase } from './entry-view.js';
import type { Forwarded, JournalEntry, Unread } from './journal-entry.js';

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const texts: JsonSchema = { type: 'array', items: text };

const otherCase: JsonSchema = {
  type: 'array',
  items: schemaOf<OtherCase>(
    {
      at: { type: 'string', description: 'JSON pointer that begins with /body or /query.' },
      sent: text,
      known: { type: 'string', description: 'The name that there is.' },
    },
    ['at', 'sent', 'known'],
  ),
  description: 'Names that exist in another case.',
};

type UnreadOf<K extends Unread['kind']> = Omit<Extract<Unread, { kind: K }>, 'kind'>;
const problem: MemberSchemas<UnreadOf<'not-json'>> = { problem: text };
const unreadKinds: { readonly [K in Unread['kind']]: MemberSchemas<UnreadOf<K>> } = {
  empty: {},
  'not-json': problem,
  'not-utf8': {},
  'too-large': { limit: integer },
  encoding: problem,
  'cut-short': problem,
};
const unread: JsonSchema = {
  ...schemaOf<{ kind: string; problem?: string; limit?: number }>(
    { kind: { enum: Object.keys(unreadKinds) }, problem: text, limit: integer },
    ['kind'],
  ),
  description: 'What the body is, where it is no JSON.',
  anyOf: Object.entries(unreadKinds).map(([kind, members]) => ({
    type: 'object',
    properties: { kind: { enum: [kind] }, ...members },
    required: ['kind', ...Object.keys(members)],
  })),
};

/** The members of an entry as it is read; a store and a capsule have the first of them only. */
export const entrySchema = schemaOf<EntryView>(
  {
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
    unasked: { type: 'string', description: 'User whose credentials were sent and did not count.' },
    unproved: { type: 'string', description: 'Reason why the credentials were rejected, or would have been.' },
    readings: { type: 'string', description: 'The readings chosen for this request alone.' },
    unknownQuery: texts,
    repeatedQuery: texts,
    expand: texts,
    request: schemaOf<JournalEntry['request']>(
      {
        contentType: text,
        body: text,
        unread,
      },
      ['contentType'],
    ),
    answer: schemaOf<JournalEntry['answer']>({ status: integer, body: text }, ['status']),
    refused: text,
    rules: texts,
    gaps: { type: 'object', additionalProperties: text },
    facts: { type: 'array', items: { type: 'object' } },
    fault: text,
    before: { type: 'integer', description: 'The version on which the answer was decided.' },
    version: { type: 'integer', description: 'The version afterwards.' },
    leaked: { type: 'boolean', description: 'It named no sandbox while another than `default` was in use.' },
    forwarded: {
      ...schemaOf<Forwarded>(
        {
          to: { type: 'string', description: 'The URL of the server that has answered.' },
          duration: { type: 'number', description: 'Milliseconds.' },
          problem: { type: 'string', description: 'Why it gave no whole answer.' },
          departs: { ...texts, description: 'In a proxy: where request or answer are not as the document has it.' },
          agrees: {
            type: 'object',
            additionalProperties: texts,
            description: 'In a proxy: by gap, the readings that the answer agrees with.',
          },
        },
        ['to', 'duration'],
      ),
      description: 'Another server has answered: the entry is no evidence.',
    },
    nearest: { type: 'string', description: 'Of a path at which there is nothing: the one that was probably meant.' },
    unreadFields: { ...texts, description: 'JSON pointers to fields of the body that nothing read.' },
    otherCase,
  },
  ['id', 'at', 'method', 'url', 'request', 'answer', 'rules', 'gaps', 'facts', 'before', 'version'],
);

// The form of a journal entry: as it is read over HTTP and written by a store. Shapes only.
import { type JsonSchema, type MemberSchemas, schemaOf } from '../../operations/schema.js';
import type { MeantField } from '../request/meant-fields.js';
import type { EntryView, OtherCase } from './entry-view.js';
import { factSchema } from './fact-schema.js';
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
      known: { type: 'string', description: 'The existing name.' },
    },
    ['at', 'sent', 'known'],
  ),
  description: 'Names that exist in another letter case.',
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
  description: 'The kind of body, if it is not JSON.',
  anyOf: Object.entries(unreadKinds).map(([kind, members]) => ({
    type: 'object',
    properties: { kind: { enum: [kind] }, ...members },
    required: ['kind', ...Object.keys(members)],
  })),
};

/** The members of an entry as it is read; a store has the first of them only. */
export const entrySchema = schemaOf<EntryView>(
  {
    id: integer,
    at: text,
    requestId: { type: 'string', description: 'The X-Request-Id of the request.' },
    traceparent: { type: 'string', description: 'The traceparent of the request (W3C Trace Context).' },
    method: text,
    url: text,
    operation: text,
    endpoint: { type: 'string', description: 'The path below its prefix.' },
    base: { type: 'string', description: "Of a host's resource: the base of the links in its answer." },
    params: { type: 'object', additionalProperties: text },
    caller: text,
    scheme: {
      enum: ['bearer', 'cookie'],
      description: 'How the credentials were sent; absent: by Basic authentication, or not at all.',
    },
    unasked: { type: 'string', description: 'User whose credentials were sent and did not count.' },
    unproved: { type: 'string', description: 'Reason why the credentials were rejected, or would have been.' },
    claimed: {
      type: 'object',
      description:
        'The user of rejected credentials, or a header without secrets that is rejected for the same reason; absent for a token.',
      ...schemaOf<{ user: string; header: string }>({ user: text, header: text }, []),
    },
    readings: { type: 'string', description: 'The readings that this request chose.' },
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
    facts: { type: 'array', items: factSchema },
    fault: text,
    before: { type: 'integer', description: 'The version before the request.' },
    version: { type: 'integer', description: 'The version after the request.' },
    leaked: { type: 'boolean', description: 'It named no sandbox while others than `default` were in use.' },
    forwarded: {
      ...schemaOf<Forwarded>(
        {
          to: { type: 'string', description: 'The URL of the server that answered.' },
          duration: { type: 'number', description: 'Milliseconds.' },
          problem: { type: 'string', description: 'Why its answer is incomplete.' },
          departs: { ...texts, description: 'In a proxy: violations of the document in the request or answer.' },
          agrees: {
            type: 'object',
            additionalProperties: texts,
            description: 'In a proxy: the readings that the answer agrees with, by gap.',
          },
        },
        ['to', 'duration'],
      ),
      description: 'Another server answered, so the entry is no evidence.',
    },
    nearest: { type: 'string', description: 'Nearest existing path, if the requested one does not exist.' },
    unreadFields: { ...texts, description: 'JSON pointers to unread fields of the body.' },
    meantFields: {
      type: 'array',
      items: schemaOf<MeantField>({ at: text, sent: text, meant: text }, ['at', 'sent', 'meant']),
      description: 'Unread fields that probably mean a field that the body lacks, each with that field.',
    },
    warnings: { ...texts, description: 'Mistakes of the client that the readings in use forgive.' },
    otherCase,
  },
  ['id', 'at', 'method', 'url', 'request', 'answer', 'rules', 'gaps', 'facts', 'before', 'version'],
);

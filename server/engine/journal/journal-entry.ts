// One journal entry: a request and its response, with what decided it. It never contains secrets.
import * as Type from '@sinclair/typebox';
import { type Fact, factSchema } from '../../domain/facts.js';
import { maybe, oneOf, type Shape, table, typed } from '../../domain/json/shape.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { RefusalCode } from '../../operations/refusals.js';
import { forwardedSchema } from '../request/forwarded.js';

const text = Type.String();
const texts = Type.Array(text);
const integer = Type.Integer();
const unreadKind = <const K extends string, P extends Type.TProperties>(kind: K, more: P) =>
  Type.Object({ kind: oneOf([kind]), ...more });

/** @internal */
export const unreadSchema = Type.Union(
  [
    unreadKind('not-json', { problem: text }),
    unreadKind('not-utf8', {}),
    unreadKind('too-large', { limit: integer, of: Type.Optional(oneOf(['values'])) }),
    unreadKind('encoding', { problem: text }),
    unreadKind('cut-short', { problem: text }),
  ],
  { description: 'The kind of the body, if it has no text or is not JSON.' },
);
export type Unread = Shape<typeof unreadSchema>;

/** @internal */
export const entrySchema = Type.Object({
  id: Type.Integer({ description: 'From 1 in each sandbox; continues after evictions.' }),
  at: Type.String({ description: 'The time of the sandbox.' }),
  requestId: maybe(
    text,
    'The X-Request-Id of the request. Without one, the id of the response consists of the sandbox and the entry: `default.17`.',
  ),
  traceparent: maybe(text, 'The traceparent of the request (W3C Trace Context), if valid.'),
  method: text,
  url: Type.String({
    description: 'Path and query as sent, with possible secrets hidden: `os_password=x` becomes `os_password=hidden`.',
  }),
  operation: maybe(text, 'Absent if there is no such operation.'),
  endpoint: maybe(text, 'The path of the endpoint, below its prefix. Absent if the path does not exist.'),
  params: maybe(table(text), 'The path parameters.'),
  prefix: maybe(text, 'The path of the server by --base-url or a proxy, if it has one.'),
  base: maybe(text, 'For a resource of Confluence or Jira: the base of the links in its response.'),
  caller: maybe(text, 'A user name, or `anonymous`. Absent if the caller did not matter.'),
  scheme: maybe(
    oneOf(['bearer', 'cookie']),
    'How the credentials were sent. Absent: with Basic authentication, or not at all.',
  ),
  ignoredCaller: maybe(
    text,
    'The user whose credentials were sent but ignored: the operation requires none, or because of `auth-scheme=basic`.',
  ),
  credentialsProblem: maybe(text, 'Reason why the credentials were rejected, or would have been.'),
  claimed: maybe(
    Type.Union([Type.Object({ user: text }), Type.Object({ header: text })]),
    'The user of rejected credentials, or a header without secrets that is rejected for the same reason. Absent for a token.',
  ),
  readings: maybe(text, 'The readings that this request chose, as written.'),
  unknownQuery: maybe(texts, 'Query parameters that the operation does not have.'),
  repeatedQuery: maybe(texts, 'Repeated query parameters; the gap `repeated-parameter` says which value counts.'),
  xsrfSuspect: maybe(
    oneOf([true]),
    'A browser or another origin seems to have sent it, without the header `X-Atlassian-Token: no-check`.',
  ),
  expand: maybe(texts, 'The names in `expand`.'),
  request: Type.Object({
    contentType: text,
    headers: maybe(table(text), 'As sent, with names in lower case and possible secrets hidden.'),
    body: maybe(text),
    unread: maybe(unreadSchema),
  }),
  response: Type.Object(
    {
      status: integer,
      headers: maybe(table(text), 'With possible secrets hidden, and without those that every response has.'),
      body: maybe(text),
    },
    { description: 'If a fault broke the connection: the response that would have been sent.' },
  ),
  duration: maybe(
    Type.Number(),
    'Milliseconds until the response was decided, without the delay of a fault. Absent if another server responded.',
  ),
  refused: maybe(typed<RefusalCode>('RefusalCode', text), 'Why the request was refused.'),
  rules: Type.Array(text, { description: 'The rules that applied.' }),
  gaps: typed<Partial<Record<GapId, string>>>('Readonly<Partial<Record<GapId, string>>>', {
    ...table(text),
    description: 'The readings that decided, by gap.',
  }),
  facts: Type.Array(typed<Fact>('Fact', factSchema), { description: 'What changed.' }),
  fault: maybe(text, 'The fault that replaced the response: its number in the list of faults, from 1, and its effect.'),
  stub: maybe(
    text,
    'The stub that sent the response: its number in the list of stubs, from 1, with its method and path. Such an entry is not evidence.',
  ),
  nearestStub: maybe(text, 'The stub that nearly responded, and what it lacked. Absent if a stub responded.'),
  before: Type.Integer({ description: 'The version before the request.' }),
  version: Type.Integer({ description: 'The version after the request.' }),
  leaked: maybe(oneOf([true]), 'The request named no sandbox while sandboxes other than `default` were in use.'),
  forwarded: maybe(forwardedSchema),
});
export type JournalEntry = Shape<typeof entrySchema>;

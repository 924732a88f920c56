// Questions right and wrong in many ways, and every reading to ask them under.
import type { Body, Credentials } from '../../../server/engine/request/request.js';
import { gapIds, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Operation } from '../../../server/operations/operation.js';
import type { Question } from '../worlds/ask.js';

const wrongPassword: Credentials = { kind: 'basic', user: 'admin', password: 'other' };
const unreadableBodies: readonly Body[] = [
  { kind: 'absent' },
  { kind: 'not-json', text: '{', problem: 'it ends too early' },
  { kind: 'not-utf8' },
  { kind: 'too-large', limit: 1 },
  { kind: 'encoding', problem: 'br is not known' },
  { kind: 'cut-short', problem: 'it ended' },
];

/** What is asked besides the examples: each changes something of one. */
const oddities: readonly Question[] = [
  { as: null },
  { as: 'carol' },
  { credentials: wrongPassword },
  { credentials: { kind: 'bearer', token: 'none such' } },
  { contentType: 'text/plain' },
  { isSuspect: true },
  { query: 'expand=space,body.view' },
  { query: '' },
  { query: 'spaceKey=%E0' },
  { query: 'spaceKey=ds&spaceName=Other&pageTitle=none' },
  { query: { sourceSpaceKey: 'tmpl', targetSpaceKey: 'ds', targetSpaceTitle: '', targetSpaceAdmin: '' } },
  { params: { pageId: 'none' } },
  { json: undefined },
  { json: {} },
  { json: [] },
  { json: null },
  { json: [{}] },
  { json: [{ oldText: '', newText: 'x' }] },
  { json: [{ oldText: 'none such', newText: 'x', more: 1 }] },
  { json: { group: 'none', users: [] } },
  { json: { group: 'team-members', users: [] } },
  { json: { group: ['team-members'], users: ['alice'] } },
  { json: { groups: ['none'], users: ['bob'], group: ['customers'] } },
  { json: { groups: [], users: [] } },
  { json: { groups: 'customers', users: 'alice', more: 1 } },
  { json: { spaceKey: 'none', label: 'x', url: 'y' } },
  { json: { users: ['bob'], filters: [1], dashboards: [11100] } },
  { json: { users: ['alice'], filters: [], dashboards: [] } },
  { json: { users: ['alice'], filters: ['10500'] } },
  ...unreadableBodies.map(body => ({ body })),
];

export const everyReading: readonly SomeReadings[] = gapIds.flatMap(
  id => readingNames(id).map(name => ({ [id]: name }) as SomeReadings), // each name is one of that gap
);

/** Questions to an operation: its examples, and the first of them with one thing changed. */
export function oddQuestions({ examples }: Operation): Question[] {
  const shown = examples.map(({ as: caller = null, params, query, body }) => ({
    as: caller,
    json: body,
    ...(params !== undefined && { params }),
    ...(query !== undefined && { query }),
  }));
  const [first = {}] = shown;
  return [...shown, ...oddities.map(oddity => ({ params: { pageId: '65601' }, ...first, ...oddity }))];
}

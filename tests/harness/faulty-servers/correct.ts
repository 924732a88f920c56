// Servers that contradict nothing: odd where the document leaves something open, unreliable, or with a fault that neither responses nor resources show.
import {
  at,
  both,
  doesNothing,
  isText,
  listIn,
  not,
  readsFields,
  refuses,
  respondsWith,
  servesAs,
  type When,
} from '../../../harness/conform/faults/fault-changes.js';
import type { Change } from '../../../harness/conform/faults/server-fault.js';
import {
  askingFor,
  by,
  empty,
  type FaultyServer,
  groupsOf,
  isAnonymous,
  isGroups,
  isPermissions,
  isPpf,
  isWiki,
  namesUnknownUser,
  page,
  refusing,
  reporting,
  sometimes,
} from './changes.js';

const isUnique = at('spaces/isUnique');
const isAction = both(isWiki, not(isUnique));
const trimmed = (value: unknown): unknown => {
  if (isText(value)) return value.trim();
  return Array.isArray(value) ? value.map(trimmed) : value;
};
const namesUnknownItem: When = asked => {
  const isKnown = (kind: 'filters' | 'dashboards') =>
    listIn(asked, kind).every(id => typeof id !== 'number' || asked.world[kind].has(id));
  return !isKnown('filters') || !isKnown('dashboards') || groupsOf(asked).some(name => !asked.world.groups.has(name));
};

/** Odd, always in the same way. */
const odd: Readonly<Record<string, Change>> = {
  'responds to wiki operations with 201 and an object of its own': respondsWith(
    isAction,
    200,
    201,
    '{"status":"DONE","warnings":[],"took":12}',
  ),
  'refuses unknown names and invalid wiki requests with 422 and a problem document': {
    response: ({ status }, asked) =>
      isAction(asked) && asked.path.includes('/latest/') && [400, 404, 409].includes(status)
        ? {
            status: 422,
            headers: { 'content-type': 'application/problem+json' },
            json: { type: 'about:blank', title: 'Unprocessable Entity', status: 422 },
          }
        : {},
  },
  'compares only the key of a space and not the name': askingFor(
    'spaces/isUnique',
    'spaceName',
    () => 'No such space at all',
  ),
  'responds to all errors with a page': {
    response: ({ status }) => (status >= 400 ? page(status, 'Oops') : {}),
  },
  'writes its messages in German': reporting(own => ({
    ...own,
    messages: own.messages.map(text => `Leider nicht möglich: ${text.split(' ').at(-1)}`),
  })),
  'reports on several lines, with more fields and the messages in reverse order': {
    response: ({ status, text }, asked) => {
      if (!isPpf(asked) || status !== 200) return {};
      const { success, messages } = JSON.parse(text) as { success: boolean; messages: readonly string[] };
      const report = { took: 12, messages: messages.toReversed(), node: 'tracker-1', success };
      return {
        text: `${JSON.stringify(report, undefined, 4)}\n`,
        headers: { 'content-type': 'Application/JSON; charset=UTF-8' },
      };
    },
  },
  'reports in a message that all went well': reporting(({ success, messages }) => ({
    success,
    messages: success ? [...messages, 'Everything is done.'] : messages,
  })),
  'trims the names in bodies': readsFields(
    asked => isGroups(asked) || isPermissions(asked) || isPpf(asked),
    body => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, trimmed(value)])),
  ),
  'serves no method of a heading': servesAs(both(isPermissions, by('POST')), '', '', 'PATCH'),
  'removes from the view permission when it gets a POST': servesAs(
    both(at('permissions/view'), by('POST')),
    '',
    '',
    'DELETE',
  ),
  'serves group operations by PUT as well': servesAs(both(isGroups, by('PUT')), '', '', 'POST'),
  'refuses to set a group to no users': refuses(
    both(at('groups/set-users'), asked => listIn(asked, 'users').length === 0),
  ),
  'responds to an anonymous push or pull with 401': {
    response: ({ status }, asked) =>
      isPpf(asked) && isAnonymous(asked) && status === 403
        ? { ...empty(401), headers: { 'www-authenticate': 'OAuth realm="https%3A%2F%2Ftracker.example"' } }
        : {},
  },
  'refuses anonymous wiki requests': refusing(both(isWiki, isAnonymous), empty(401)),
  'responds to isUnique with an object that says whether the space exists': {
    response: ({ status, text }, asked) =>
      isUnique(asked) && status === 200 && /^(true|false)$/.test(text) ? { json: { exists: text === 'false' } } : {},
  },
  'changes nothing when a user, group or item of a push or pull is not found': doesNothing(
    both(isPpf, asked => namesUnknownUser(asked) || namesUnknownItem(asked)),
  ),
  'sends cookies, chunks and the headers of a proxy': {
    response: ({ headers: { 'content-length': _, ...rest } }) => ({
      headers: {
        ...rest,
        'transfer-encoding': 'chunked',
        'set-cookie': 'JSESSIONID=0123456789ABCDEF; Path=/; HttpOnly',
        'cache-control': 'no-store, no-transform',
        via: '1.1 proxy',
      },
    }),
  },
};

/** With a fault that neither a response nor a REST resource shows. */
const unseen: Readonly<Record<string, Change>> = {
  'responds with 402 when the add-on is not licensed, which no request changes': {
    response: ({ status }, asked) =>
      isPpf(asked) && asked.world.licence.ppf !== 'valid' && status === 403 ? empty(402) : {},
  },
  'swaps the label and the url of a sidebar link, which no resource has': readsFields(
    at('spaces/add-sidebar-link'),
    ({ label, url, ...body }) => ({ ...body, label: url, url: label }),
  ),
  'picks a user who is not an admin when targetSpaceAdmin is empty, and no resource has permissions of a space':
    askingFor('spaces/copySpace', 'targetSpaceAdmin', (value, { world }) =>
      value === '' ? (world.users.findLastKey(({ admin }) => !admin) ?? '') : value,
    ),
  'never removes the admin of a new space, and no resource has permissions of a space': askingFor(
    'spaces/copySpace',
    'removeAdminPermissions',
    () => 'false',
  ),
};

/** Unreliable: they keep state. */
const unreliable: Readonly<Record<string, FaultyServer['change']>> = {
  'responds to every third request with 503': sometimes(
    () => true,
    count => count % 3 === 0,
    empty(503),
  ),
  'responds to one request in eight with 500, although it is done': () => {
    let state = 11;
    return {
      response: () => {
        state = (state * 48271) % 2147483647; // looks random, and is the same each time the test runs
        return state % 8 === 0 ? page(500, 'Internal Server Error') : {};
      },
    };
  },
  'limits the rate of pushes with 429': sometimes(at('push'), count => count % 5 === 0, {
    ...empty(429),
    headers: { 'retry-after': '1' },
  }),
  'is restarted during forty requests': sometimes(
    () => true,
    count => count > 100 && count <= 140,
    page(503, 'Restarting'),
  ),
};

const serversOf = <T extends FaultyServer['change']>(changes: Readonly<Record<string, T>>) =>
  Object.entries(changes).map(([says, change]) => ({ says, change }));

export const oddServers = serversOf(odd);
export const correctServers = [...oddServers, ...serversOf(unseen), ...serversOf(unreliable)];

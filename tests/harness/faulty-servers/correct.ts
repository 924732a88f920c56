// Servers that break no rule: odd where the document leaves something open, or unreliable.
import type { Change } from '../../../harness/conform/faults/server-fault.js';
import {
  askingFor,
  at,
  both,
  type CorrectServer,
  empty,
  fields,
  groupsOf,
  idle,
  isAnonymous,
  isAny,
  isEmpty,
  isGroups,
  isPermissions,
  isPpf,
  isWiki,
  list,
  type Meant,
  namesUnknownUser,
  ok,
  page,
  refusing,
  reporting,
  reportOf,
  responding,
  sending,
  sometimes,
} from './changes.js';

const isUnique = at('spaces/isUnique');
const isAction: Meant = asked => isWiki(asked) && !isUnique(asked);
const isError = (status: number) => status >= 400;
const numbers = (value: unknown) => list(value).filter(id => typeof id === 'number');
const trimmed = (value: unknown): unknown => {
  if (typeof value === 'string') return value.trim();
  return Array.isArray(value) ? value.map(trimmed) : value;
};
/** A number that looks random, from the numbers that came before. */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state;
  };
};
const pausing = (milliseconds: number): Change => ({
  request: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    return {};
  },
});

const changes: Readonly<Record<string, CorrectServer['change']>> = {
  'responds to wiki operations with 201 and an object of its own': responding(isAction, ok, {
    status: 201,
    headers: { 'content-type': 'application/json' },
    json: { status: 'DONE', warnings: [], took: 12 },
  }),
  'responds to group and permission operations with 202 and a page': responding(
    asked => isGroups(asked) || isPermissions(asked),
    ok,
    page(202, 'Accepted'),
  ),
  'refuses unknown names and invalid wiki requests with 422 and a problem document': responding(
    both(isAction, ({ path }) => path.includes('/latest/')),
    status => [400, 404, 409].includes(status),
    {
      status: 422,
      headers: { 'content-type': 'application/problem+json' },
      json: { type: 'about:blank', title: 'Unprocessable Entity', status: 422 },
    },
  ),
  'compares only the key of a space and not the name': askingFor(
    'spaces/isUnique',
    'spaceName',
    () => 'No such space at all',
  ),
  'responds to all errors with a page': {
    response: ({ status }) => (isError(status) ? page(status, 'Oops') : {}),
  },
  'writes its messages in German': reporting(isPpf, own => ({
    ...own,
    messages: own.messages.map(text => `Leider nicht möglich: ${text.split(' ').at(-1)}`),
  })),
  'reports on several lines, with more fields and the messages in reverse order': {
    response: (response, asked) => {
      const { success, messages = [] } = reportOf(response, asked) ?? {};
      if (success === undefined) return {};
      const report = { took: 12, messages: messages.toReversed(), node: 'tracker-1', success };
      return {
        text: `${JSON.stringify(report, undefined, 4)}\n`,
        headers: { 'content-type': 'Application/JSON; charset=UTF-8' },
      };
    },
  },
  'reports in a message that all went well': reporting(isPpf, ({ success, messages }) => ({
    success,
    messages: success ? [...messages, 'Everything is done.'] : messages,
  })),
  'trims the names in bodies': sending(
    asked => isGroups(asked) || isPermissions(asked) || isPpf(asked),
    body => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, trimmed(value)])),
  ),
  'serves no method of a heading': {
    request: asked => (isPermissions(asked) && asked.method === 'POST' ? { method: 'PATCH' } : {}),
  },
  'removes from the view permission when it gets a POST': {
    request: asked => (at('permissions/view', 'POST')(asked) ? { method: 'DELETE' } : {}),
  },
  'serves group operations by PUT as well': {
    request: asked => (isGroups(asked) && asked.method === 'PUT' ? { method: 'POST' } : {}),
  },
  'refuses to set a group to no users': refusing(
    both(at('groups/set-users'), ({ json }) => isEmpty(fields(json).users)),
    400,
  ),
  'responds to an anonymous push or pull with 401': responding(both(isPpf, isAnonymous), status => status === 403, {
    ...empty(401),
    headers: { 'www-authenticate': 'OAuth realm="https%3A%2F%2Ftracker.example"' },
  }),
  'refuses anonymous wiki requests': {
    response: (_, asked) => (isWiki(asked) && isAnonymous(asked) ? empty(401) : {}),
    ...idle(both(isWiki, isAnonymous)),
  },
  'responds to isUnique with an object that says whether the space exists': {
    response: ({ status, text }, asked) =>
      isUnique(asked) && status === 200 && /^(true|false)$/.test(text) ? { json: { exists: text === 'false' } } : {},
  },
  'changes nothing when a user, group or item of a push or pull is not found': idle(asked => {
    const { filters, dashboards } = fields(asked.json);
    const { world } = asked;
    const isFound =
      groupsOf(asked).every(group => world.groups.has(group)) &&
      numbers(filters).every(id => world.filters.has(id)) &&
      numbers(dashboards).every(id => world.dashboards.has(id));
    return isPpf(asked) && (namesUnknownUser(asked) || !isFound);
  }),
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
  'takes two milliseconds longer for each response': pausing(2),
  'responds to every third request with 503': sometimes(isAny, count => count % 3 === 0, empty(503)),
  'responds to the first request for each operation with 503': () => {
    const known = new Set<string>();
    let isFirst = false;
    return {
      request: ({ place, method }) => {
        isFirst = place !== '' && !known.has(`${method} ${place}`);
        known.add(`${method} ${place}`);
        return {};
      },
      world: (after, before) => (isFirst ? before : after),
      response: () => (isFirst ? empty(503) : {}),
    };
  },
  'responds to one request in eight with 500, although it is done': () => {
    const random = randomFrom(11);
    return { response: () => (random() % 8 === 0 ? page(500, 'Internal Server Error') : {}) };
  },
  'limits the rate of pushes with 429': sometimes(at('push'), count => count % 5 === 0, {
    ...empty(429),
    headers: { 'retry-after': '1' },
  }),
  'responds to every other copy of a space with 503': sometimes(
    at('spaces/copySpace'),
    count => count % 2 === 1,
    empty(503),
  ),
  'is restarted during forty requests': sometimes(isAny, count => count > 100 && count <= 140, page(503, 'Restarting')),
};

export const correctServers: readonly CorrectServer[] = Object.entries(changes).map(([says, change]) => ({
  says,
  change,
}));

// Servers with a fault in push or pull.

import type { Asked, Change } from '../../../harness/conform/faults/server-fault.js';
import { type Favourites, favouritesOf, noFavourites, type World } from '../../../server/domain/world/world.js';
import {
  asAdmin,
  at,
  both,
  breaking,
  empty,
  type FaultyServer,
  favourites,
  fields,
  idle,
  isAnonymous,
  isEmpty,
  isLacking,
  isOther,
  isPpf,
  lacksItem,
  lacksRecipient,
  list,
  listing,
  mistaking,
  namesUnknownUser,
  ok,
  refusing,
  reporting,
  reportOf,
  responding,
  rewriting,
  sending,
  usersOf,
} from './changes.js';

const PUSH = at('push');
const PULL = at('pull');
const JSON_TYPE = { 'content-type': 'application/json' };
const report = (success: boolean, ...messages: readonly string[]) => ({
  status: 200,
  headers: JSON_TYPE,
  json: { success, messages },
});
const is = (expected: number) => (status: number) => status === expected;
const isRefusal = (status: number) => status === 401 || status === 403;
const isNone = (value: unknown) => Array.isArray(value) && value.length === 0;
const has = (value: unknown) => list(value).length > 0;

/** Ids as numbers where they were sent as text, and the other way round. */
const swapTypes = (ids: readonly unknown[]) =>
  ids.map(id => {
    if (typeof id === 'number') return String(id);
    return typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  });
const union = (some: Favourites, others: Favourites): Favourites => ({
  filters: some.filters.union(others.filters),
  dashboards: some.dashboards.union(others.dashboards),
});
const difference = (some: Favourites, others: Favourites): Favourites => ({
  filters: some.filters.subtract(others.filters),
  dashboards: some.dashboards.subtract(others.dashboards),
});
/** More favourites changed than those of the users that a request names. */
const spreading = (
  place: 'push' | 'pull',
  spread: (after: World, before: World, asked: Asked) => World['favourites'],
): Change => ({
  world: (after, before, asked) =>
    at(place)(asked) && after.favourites !== before.favourites
      ? { ...after, favourites: spread(after, before, asked) }
      : after,
});

const callerServers: readonly FaultyServer[] = [
  ...breaking('ppf.authenticated', {
    'serves a push without credentials': asAdmin(both(PUSH, isAnonymous)),
    'never checks the password of an admin who pushes or pulls': asAdmin(both(isPpf, ({ caller }) => caller.isAdmin)),
    'responds to an anonymous pull with 200 and a message to log in': responding(
      both(PULL, isAnonymous),
      isRefusal,
      report(false, 'You have to log in.'),
    ),
  }),
  ...breaking('ppf.admin-only', {
    'serves a pull of any user who is logged in': asAdmin(both(PULL, isOther)),
    'lets users push to themselves': asAdmin(
      both(PUSH, isOther, asked => {
        const isOwn = usersOf(asked).every(user => user === asked.caller.name);
        return has(usersOf(asked)) && isOwn && isEmpty(fields(asked.json).groups);
      }),
    ),
    'responds with 404 to a push or pull of a user who is not an admin': responding(
      both(isPpf, isOther),
      is(403),
      empty(404),
    ),
    'carries out a push although it refuses the caller with 403': {
      ...asAdmin(both(PUSH, isOther)),
      ...responding(both(PUSH, isOther), ok, empty(403)),
    },
  }),
  ...breaking(
    'ppf.licensed-only',
    {
      'responds with 402 when the add-on is not licensed': responding(
        both(isPpf, ({ caller, world }) => caller.isAdmin && world.licence.ppf !== 'valid'),
        is(403),
        empty(402),
      ),
    },
    'No request takes away the licence of a running server.',
  ),
];

const bodyServers: readonly FaultyServer[] = [
  ...breaking('ppf.body-types', {
    'accepts the ids of filters as strings': listing(isPpf, 'filters', ids =>
      ids.every(id => typeof id === 'string') ? swapTypes(ids) : ids,
    ),
    'expects the ids of dashboards as strings and refuses numbers': listing(isPpf, 'dashboards', swapTypes),
    'accepts a string instead of the list of users of a push or pull': rewriting(isPpf, 'users', users =>
      typeof users === 'string' ? [users] : users,
    ),
    'rounds down ids that are not whole numbers': listing(isPpf, 'filters', ids =>
      ids.map(id => (typeof id === 'number' ? Math.floor(id) : id)),
    ),
  }),
  ...breaking('ppf.needs-recipient', {
    'requires both users and groups in a push or pull': refusing(
      both(isPpf, ({ json }) => isEmpty(fields(json).users) !== isEmpty(fields(json).groups)),
      400,
    ),
    'refuses a pull from groups alone': refusing(
      both(PULL, asked => fields(asked.json).users === undefined),
      400,
    ),
  }),
  ...breaking(['ppf.needs-recipient', 'ppf.invalid-is-400'], {
    'pushes to the caller when a push has no recipients': sending(both(PUSH, lacksRecipient), (body, { caller }) =>
      caller.name === undefined ? body : { ...body, users: [caller.name] },
    ),
    'reports success for a pull that has neither users nor groups': responding(
      both(PULL, lacksRecipient),
      is(400),
      report(true),
    ),
  }),
  ...breaking('ppf.needs-item', {
    'refuses a push of dashboards alone': refusing(
      both(PUSH, asked => isEmpty(fields(asked.json).filters)),
      400,
    ),
    'refuses an empty list of filters beside dashboards': refusing(
      both(isPpf, ({ json }) => isNone(fields(json).filters) && has(fields(json).dashboards)),
      400,
    ),
  }),
  ...breaking(['ppf.needs-item', 'ppf.invalid-is-400'], {
    'reports success for a push without filters and dashboards': responding(
      both(PUSH, lacksItem),
      is(400),
      report(true),
    ),
  }),
  ...breaking('ppf.invalid-is-400', {
    'responds with 422 to a push or pull without recipients or items': responding(isLacking, is(400), empty(422)),
    'responds with 200 and success false to a push or pull without recipients or items': responding(
      isLacking,
      is(400),
      report(false, 'The request is not valid.'),
    ),
  }),
];

const reportServers: readonly FaultyServer[] = [
  ...breaking('ppf.processed-is-200', {
    'responds with 201 to a push': responding(PUSH, is(200), { status: 201 }),
    'responds with 404 when a user of a push or pull is not found': responding(both(isPpf, namesUnknownUser), is(200), {
      status: 404,
    }),
    'responds with 207 when a push or pull was not processed completely': {
      response: (response, asked) => (reportOf(response, asked)?.success === false ? { status: 207 } : {}),
    },
    'leaves out messages when there are none': reporting(isPpf, ({ success, messages }) =>
      has(messages) ? { success, messages } : { success },
    ),
  }),
  ...breaking(['ppf.processed-is-200', 'ppf.success-flag'], {
    'calls the success flag ok': reporting(isPpf, ({ success, messages }) => ({ ok: success, messages })),
  }),
  ...breaking('ppf.success-flag', {
    'reports success whatever went wrong': reporting(isPpf, ({ messages }) => ({ success: true, messages })),
    'never reports success': reporting(isPpf, ({ messages }) => ({ success: false, messages })),
    'reports success as soon as one of several users is found': reporting(isPpf, (own, asked) =>
      usersOf(asked).some(user => asked.world.users.has(user)) ? { ...own, success: true } : own,
    ),
    'reports success false after an earlier request failed': () => {
      let hasFailed = false;
      return reporting(isPpf, ({ success, messages }) => {
        const isLate = hasFailed && success;
        hasFailed = !success;
        return { success: success && !isLate, messages };
      });
    },
  }),
  ...breaking('ppf.failure-message', {
    'always leaves messages empty': reporting(isPpf, ({ success }) => ({ success, messages: [] })),
    'leaves out the messages about dashboards that are not found': reporting(isPpf, own => ({
      ...own,
      messages: own.messages.filter(text => !/(find|such) dashboard/i.test(text)),
    })),
    'reports the messages of the previous request': () => {
      let last: readonly string[] = [];
      return reporting(isPpf, ({ success, messages }) => {
        const before = last;
        last = messages;
        return { success, messages: before };
      });
    },
  }),
  ...breaking(['ppf.failure-message', 'ppf.processed-is-200'], {
    'reports messages as objects with a text': reporting(isPpf, own => ({
      ...own,
      messages: own.messages.map(text => ({ level: 'error', text })),
    })),
  }),
];

const pushServers: readonly FaultyServer[] = [
  ...breaking('ppf.push', {
    'ignores the groups of a push when users are given': favourites('push', (after, before, user, asked) =>
      has(usersOf(asked)) && !usersOf(asked).includes(user) ? before : after,
    ),
    'pushes only to the first of several users': favourites('push', (after, before, user, asked) =>
      usersOf(asked).indexOf(user) > 0 ? before : after,
    ),
    'stops pushing at the first user who is not found': favourites('push', (after, before, user, asked) => {
      const users = usersOf(asked);
      const end = users.findIndex(name => !asked.world.users.has(name));
      return end >= 0 && users.indexOf(user) > end ? before : after;
    }),
    'ignores the dashboards of a push when filters are given': favourites(
      'push',
      (after, { dashboards }, _, { json }) => (has(fields(json).filters) ? { ...after, dashboards } : after),
    ),
    'replaces the favourites of the users of a push': favourites('push', (after, _, __, { json }) => ({
      filters: after.filters.filter(id => list(fields(json).filters).includes(id)),
      dashboards: after.dashboards.filter(id => list(fields(json).dashboards).includes(id)),
    })),
    'pushes to the caller as well': spreading('push', (after, before, { caller }) => {
      const gained = after.favourites.reduce(
        (all, own, user) => union(all, difference(own, favouritesOf(before, user))),
        noFavourites,
      );
      const name = caller.name ?? '';
      return after.favourites.set(name, union(favouritesOf(after, name), gained));
    }),
  }),
];

const pullServers: readonly FaultyServer[] = [
  ...breaking('ppf.pull', {
    'pulls nothing, though it pushes': idle(PULL),
    'pushes when it is asked to pull': mistaking('pull', 'push'),
    'does not pull from the members of groups': favourites('pull', (after, before, user, asked) =>
      usersOf(asked).includes(user) ? after : before,
    ),
    'pulls all favourites of the users instead of the given items': favourites('pull', () => noFavourites),
    'pulls the items from all users': spreading('pull', (after, before) => {
      const lost = before.favourites.reduce(
        (all, own, user) => union(all, difference(own, favouritesOf(after, user))),
        noFavourites,
      );
      return after.favourites.map(own => difference(own, lost));
    }),
  }),
];

export const pushPullServers: readonly FaultyServer[] = [
  ...callerServers,
  ...bodyServers,
  ...reportServers,
  ...pushServers,
  ...pullServers,
];

// Servers with a fault in push or pull.
import {
  at,
  both,
  fieldsOf,
  has,
  isText,
  listIn,
  makes,
  not,
  readsFields,
  readsLists,
  refuses,
  respondsWith,
  sends,
  sum,
} from '../../../harness/conform/faults/fault-changes.js';
import { noFavourites } from '../../../server/domain/world/world.js';
import {
  asAdmin,
  breaking,
  type FaultyServer,
  favourites,
  isAnonymous,
  isOther,
  isPpf,
  lacksItem,
  lacksRecipient,
  namesUnknownUser,
  reporting,
  usersOf,
} from './changes.js';

const pushing = at('push');
const pulling = at('pull');
const FAILED = JSON.stringify({ success: false, messages: ['Log in, or correct the request.'] });
const isLacking = (asked: Parameters<typeof lacksItem>[0]) => lacksRecipient(asked) || lacksItem(asked);

const callerServers: readonly FaultyServer[] = [
  ...breaking('ppf.authenticated', {
    'serves a push without credentials': asAdmin(both(pushing, isAnonymous)),
    'never checks the password of an admin who pushes or pulls': asAdmin(both(isPpf, ({ caller }) => caller.isAdmin)),
    'responds to an anonymous pull with 200 and a message to log in': respondsWith(
      both(pulling, isAnonymous),
      403,
      200,
      FAILED,
    ),
  }),
  ...breaking('ppf.admin-only', {
    'lets users push to themselves': asAdmin(
      both(pushing, isOther, not(has('groups')), asked => usersOf(asked).join() === asked.caller.name),
    ),
    'responds with 404 to a push or pull of a user who is not an admin': respondsWith(
      both(isPpf, isOther),
      403,
      404,
      '',
    ),
    'carries out a push although it refuses the caller with 403': sum(
      asAdmin(both(pushing, isOther)),
      respondsWith(both(pushing, isOther), 200, 403, ''),
    ),
    'serves pushes of all members of one group': asAdmin(
      both(
        pushing,
        isOther,
        ({ caller, world }) => world.groups.get('jira-core-users')?.has(caller.name ?? '') === true,
      ),
    ),
  }),
];

const bodyServers: readonly FaultyServer[] = [
  ...breaking('ppf.body-types', {
    'accepts the ids of filters as strings': readsLists(isPpf, ['filters'], ids => ids.map(Number)),
    'expects the ids of dashboards as strings and refuses numbers': readsLists(isPpf, ['dashboards'], ids =>
      ids.map(id => (isText(id) ? Number(id) : String(id))),
    ),
    'rounds down ids that are not whole numbers': readsLists(isPpf, ['filters'], ids =>
      ids.map(id => (typeof id === 'number' ? Math.floor(id) : id)),
    ),
  }),
  ...breaking('ppf.needs-recipient', {
    'requires both users and groups in a push or pull': refuses(both(isPpf, not(both(has('users'), has('groups'))))),
    'refuses a pull from groups alone': refuses(both(pulling, not(has('users')))),
  }),
  ...breaking(['ppf.needs-recipient', 'ppf.invalid-is-400'], {
    'pushes to the caller when a push has no recipients': readsFields(
      both(pushing, lacksRecipient),
      (body, { caller }) => (caller.name === undefined ? body : { ...body, users: [caller.name] }),
    ),
  }),
  ...breaking('ppf.needs-item', {
    'refuses an empty list of filters beside dashboards': refuses(
      both(isPpf, has('dashboards'), asked => 'filters' in fieldsOf(asked) && listIn(asked, 'filters').length === 0),
    ),
  }),
  ...breaking(['ppf.needs-item', 'ppf.invalid-is-400'], {
    'reports success for a push without filters and dashboards': respondsWith(
      both(pushing, lacksItem),
      400,
      200,
      '{"success":true,"messages":[]}',
    ),
  }),
  ...breaking('ppf.invalid-is-400', {
    'responds with 422 to a push or pull without recipients or items': respondsWith(isLacking, 400, 422, ''),
    'responds with 200 and success false to a push or pull without recipients or items': respondsWith(
      isLacking,
      400,
      200,
      FAILED,
    ),
  }),
];

const reportServers: readonly FaultyServer[] = [
  ...breaking('ppf.processed-is-200', {
    'responds with 404 when a user of a push or pull is not found': respondsWith(
      both(isPpf, namesUnknownUser),
      200,
      404,
    ),
    'leaves out messages when there are none': reporting(({ success, messages }) =>
      messages.length > 0 ? { success, messages } : { success },
    ),
  }),
  ...breaking(['ppf.processed-is-200', 'ppf.success-flag'], {
    'calls the success flag ok': reporting(({ success, messages }) => ({ ok: success, messages })),
    'sends success as text': reporting(own => ({ ...own, success: String(own.success) })),
  }),
  ...breaking('ppf.success-flag', {
    'reports success whatever went wrong': sends(isPpf, body => ({ ...body, success: true })),
    'reports success as soon as one of several users is found': reporting((own, asked) =>
      usersOf(asked).some(user => asked.world.users.has(user)) ? { ...own, success: true } : own,
    ),
    'reports success false after an earlier request failed': () => {
      let hasFailed = false;
      return reporting(({ success, messages }) => {
        const isLate = hasFailed && success;
        hasFailed = !success;
        return { success: success && !isLate, messages };
      });
    },
  }),
  ...breaking('ppf.failure-message', {
    'leaves out the messages about dashboards that are not found': reporting(own => ({
      ...own,
      messages: own.messages.filter(text => !/(find|such) dashboard/i.test(text)),
    })),
    'reports the messages of the previous request': () => {
      let last: readonly string[] = [];
      return reporting(({ success, messages }) => {
        const before = last;
        last = messages;
        return { success, messages: before };
      });
    },
  }),
  ...breaking(['ppf.failure-message', 'ppf.processed-is-200'], {
    'reports messages as objects with a text': reporting(own => ({
      ...own,
      messages: own.messages.map(text => ({ level: 'error', text })),
    })),
  }),
];

const effectServers: readonly FaultyServer[] = [
  ...breaking('ppf.push', {
    'ignores the groups of a push when users are given': favourites(
      both(pushing, has('users')),
      (after, before, user, asked) => (usersOf(asked).includes(user) ? after : before),
    ),
    'stops pushing at the first user who is not found': favourites(pushing, (after, before, user, asked) => {
      const users = usersOf(asked);
      const end = users.findIndex(name => !asked.world.users.has(name));
      return end >= 0 && users.indexOf(user) > end ? before : after;
    }),
    'pushes dashboards only to the users that are named, not to members of groups': favourites(
      pushing,
      (after, { dashboards }, user, asked) => (usersOf(asked).includes(user) ? after : { ...after, dashboards }),
    ),
    'pushes only to the first member of each group': favourites(pushing, (after, before, user, asked) => {
      const firsts = listIn(asked, 'groups').map(name => asked.world.groups.get(String(name))?.first());
      return usersOf(asked).includes(user) || firsts.includes(user) ? after : before;
    }),
    'takes favourites away that a user has already': favourites(pushing, (after, before) => ({
      ...after,
      filters: after.filters.size === before.filters.size ? noFavourites.filters : after.filters,
    })),
  }),
  ...breaking('ppf.pull', {
    'pulls all favourites of the users instead of the given items': favourites(pulling, () => noFavourites),
    'pulls the items from all users': makes(pulling, (after, asked) => {
      const [filters = [], dashboards = []] = ['filters', 'dashboards'].map(kind => listIn(asked, kind).map(Number));
      return {
        ...after,
        favourites: after.favourites.map(own => ({
          filters: own.filters.subtract(filters),
          dashboards: own.dashboards.subtract(dashboards),
        })),
      };
    }),
    'pulls only from users who have all the items': favourites(pulling, (after, before, _, asked) => {
      const hasAll = (kind: 'filters' | 'dashboards') => listIn(asked, kind).every(id => before[kind].has(Number(id)));
      return hasAll('filters') && hasAll('dashboards') ? after : before;
    }),
    'pulls nothing if more than one user is given': refuses(
      both(pulling, asked => usersOf(asked).length > 1),
      500,
    ),
  }),
];

export const pushPullServers: readonly FaultyServer[] = [
  ...callerServers,
  ...bodyServers,
  ...reportServers,
  ...effectServers,
];

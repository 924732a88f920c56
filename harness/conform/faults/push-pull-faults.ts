// Faults of push and pull: sections 4.5, 5 and 7 of the document.
import { authorization } from '../../../server/derive/sending/call.js';
import { evolveAll, type Fact } from '../../../server/domain/facts.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { noFavourites, type World } from '../../../server/domain/world/world.js';
import {
  accepts,
  also,
  asksInstead,
  at,
  both,
  breaking,
  type Fields,
  fieldsOf,
  has,
  isAdmin,
  isText,
  listIn,
  not,
  readsFields,
  readsLists,
  refuses,
  remembers,
  respondsWith,
  sends,
  servesAs,
  sum,
  textsIn,
  type When,
} from './fault-changes.js';
import type { Asked, Change, ServerFault } from './server-fault.js';

const pushing = at('push');
const pulling = at('pull');
const either = at('push', 'pull');
const hasRecipient: When = asked => has('users')(asked) || has('groups')(asked);
const hasItem: When = asked => has('filters')(asked) || has('dashboards')(asked);
const noRecipient = both(either, not(hasRecipient), hasItem);
const noItem = both(either, not(hasItem), hasRecipient);
const isInvalid: When = asked => noRecipient(asked) || noItem(asked) || both(not(hasRecipient), not(hasItem))(asked);
const ITEMS = ['filters', 'dashboards'] as const;
const DONE = { success: true, messages: [] };

const isAnonymous: When = ({ headers }) => !Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
const isOther: When = ({ caller, response }) => caller.name !== undefined && !caller.isAdmin && response.status === 403;

/** Serves a request as if a user had sent it. */
function asUser(when: When, user: (asked: Asked) => string | undefined): Change {
  return asksInstead(both(either, when), asked => {
    const name = user(asked);
    if (name === undefined) return {};
    const others = Object.entries(asked.headers).filter(([header]) => header.toLowerCase() !== 'authorization');
    const password = asked.world.users.get(name)?.password ?? '';
    return { headers: { ...Object.fromEntries(others), Authorization: authorization({ user: name, password }) } };
  });
}
const firstAdmin = ({ world }: Asked) =>
  world.users
    .filter(({ admin }) => admin)
    .keySeq()
    .min();
const asAdmin = (when: When) => asUser(when, firstAdmin);

const known = (asked: Asked, list: 'filters' | 'dashboards') =>
  listIn(asked, list).filter((id): id is number => asked.world[list].has(id as number));

/** The known users of a request: those it names, and the members of the groups. */
function recipientsOf(asked: Asked): string[] {
  const { users, groups } = asked.world;
  const members = textsIn(asked, 'groups').flatMap(group => [...(groups.get(group) ?? [])]);
  return [...new Set([...textsIn(asked, 'users').filter(user => users.has(user)), ...members])];
}

/** Pushes or pulls the items of a request to or from users. */
function transfers(users: (asked: Asked) => readonly string[]) {
  const type = (asked: Asked) => (pushing(asked) ? 'favourite-added' : 'favourite-removed');
  return (asked: Asked): Fact[] =>
    ITEMS.map(item => ({ type: type(asked), item, ids: known(asked, item), users: users(asked) }));
}

/** Does what is asked for although it is refused. */
function transfersAnyway(when: When): Change {
  return {
    world: (after, _, asked) =>
      when(asked) && !isInvalid(asked) ? evolveAll(after, transfers(recipientsOf)(asked)) : after,
  };
}

/** Removes all favourites of the recipients; or all that the request does not name. */
function clearsFavourites(isSparing: boolean) {
  return (asked: Asked, { favourites }: World): Fact[] =>
    recipientsOf(asked).flatMap(user =>
      ITEMS.map(item => {
        const spared = isSparing ? known(asked, item) : [];
        const ids = [...(favourites.get(user) ?? noFavourites)[item]].filter(id => !spared.includes(id));
        return { type: 'favourite-removed', item, ids, users: [user] };
      }),
    );
}

const unknownUsers = (asked: Asked) => textsIn(asked, 'users').filter(name => !asked.world.users.has(name));
const unknownOthers = (asked: Asked): unknown[] =>
  (['groups', ...ITEMS] as const).flatMap(list =>
    listIn(asked, list).filter(one => !asked.world[list].has(one as never)),
  );
const namesUnknownUser = both(either, asked => unknownUsers(asked).length > 0);
const namesUnknownOther = both(either, asked => unknownOthers(asked).length > 0);

/** Leaves out some of the messages, and has success without them. */
function leavesOut(isMeant: (message: string, asked: Asked) => boolean): Change {
  return sends(either, (body, asked) => {
    const messages = messagesIn(body).filter(message => !isMeant(message, asked));
    const isSame = messages.length === messagesIn(body).length;
    return isSame ? body : { ...body, success: messages.length === 0, messages };
  });
}

const messagesIn = ({ messages }: Fields) => (Array.isArray(messages) ? messages.filter(isText) : []);
const sendsMessages = (change: (messages: readonly string[], asked: Asked) => unknown) =>
  sends(either, (body, asked) => ({ ...body, messages: change(messagesIn(body), asked) }));
const sendsSuccess = (change: (success: unknown, asked: Asked) => unknown) =>
  sends(either, (body, asked) => ({ ...body, success: change(body.success, asked) }));
/** Sends a field of the response before, together with its own. */
const sendsOld = (change: (now: Fields, before: Fields) => Fields) =>
  remembers(
    either,
    () => 'ppf',
    'last',
    (text, before) => {
      const [now, then] = [text, before].map(one => fieldsOf({ json: parsedJson(one) }));
      return JSON.stringify({ ...now, ...change(now ?? {}, then ?? {}) });
    },
  );
const endsWithOneOf = (message: string, names: readonly unknown[]) => names.some(name => message.endsWith(` ${name}`));

/** The faults of a push, of a pull, and of both. */
const common = (
  [
    [['ppf.push'], pushing, 'pushes', 'pulls'],
    [['ppf.pull'], pulling, 'pulls', 'pushes'],
    [['ppf.push', 'ppf.pull'], either, 'pushes and pulls', 'swaps push and pull'],
  ] as const
).flatMap(([own, when, does, instead]) =>
  breaking(own, {
    [`${instead} instead`]: sum(
      servesAs(both(when, pushing), '/push', '/pull'),
      servesAs(both(when, pulling), '/pull', '/push'),
    ),
    [`${does} for all users instead of the given ones`]: also(
      when,
      transfers(({ world }) => [...world.users.keys()]),
    ),
    [`${does} for the caller instead of the users and groups given`]: readsFields(
      both(when, hasRecipient),
      (fields, { caller }) => (caller.name === undefined ? fields : { ...fields, users: [caller.name], groups: [] }),
    ),
    [`${does} for the caller as well`]: also(
      both(when, isAdmin),
      transfers(({ caller }) => [caller.name ?? '']),
    ),
  }),
);

/** The lists of which at least one is needed. */
const needs = (
  [
    ['recipient', 'users', 'groups', noRecipient],
    ['item', 'filters', 'dashboards', noItem],
  ] as const
).flatMap(([what, one, other, isMissing]) =>
  breaking(`ppf.needs-${what}`, {
    [`reports success without any ${one} and ${other}`]: accepts(isMissing, DONE, 400),
    [`uses all ${one} there are when neither ${one} nor ${other} are given`]: readsFields(
      isMissing,
      (fields, { world }) => ({ ...fields, [one]: [...world[one].keys()] }),
    ),
    ...Object.fromEntries(
      [
        [one, other],
        [other, one],
      ].map(([list = '', rest]) => [
        `requires ${list} in push and pull even when ${rest} are given`,
        refuses(both(either, not(has(list)))),
      ]),
    ),
    [`requires both ${one} and ${other} in push and pull`]: refuses(both(either, not(both(has(one), has(other))))),
    [`refuses both ${one} and ${other} in one request`]: refuses(both(either, has(one), has(other))),
  }),
);

export const pushPullFaults: readonly ServerFault[] = [
  ...breaking('ppf.authenticated', {
    'lets anonymous callers push and pull': asAdmin(isAnonymous),
    'redirects anonymous callers of push and pull to a login page': {
      response: ({ status }, asked) =>
        status >= 400 && either(asked) && isAnonymous(asked) ? { status: 302, text: '' } : {},
    },
    'accepts any password on push and pull': asUser(not(isAnonymous), ({ caller }) => caller.name),
  }),
  ...breaking('ppf.admin-only', {
    'lets users who are not admins push and pull': asAdmin(isOther),
    'refuses push and pull by admins': refuses(both(either, isAdmin), 403),
    'refuses push and pull by admins and lets all other users': sum(
      asAdmin(isOther),
      refuses(both(either, isAdmin), 403),
    ),
    'returns 401 to users who are not admins': respondsWith(both(either, isOther), 403, 401),
    'returns 403 to users who are not admins but still applies the push or pull': transfersAnyway(
      both(either, isOther),
    ),
  }),
  ...breaking('ppf.body-types', {
    'accepts filter and dashboard ids as text': readsLists(either, ITEMS, list =>
      list.map(id => (isText(id) && /^\d+$/.test(id) ? Number(id) : id)),
    ),
    ...Object.fromEntries(
      ITEMS.map(list => [
        `requires the ids of ${list} as text`,
        readsLists(either, [list], ids => ids.map(id => (isText(id) ? Number(id) : `${id}`))),
      ]),
    ),
  }),
  ...needs,
  ...breaking('ppf.invalid-is-400', {
    'returns 422 instead of 400 for an invalid push or pull': respondsWith(either, 400, 422),
    'returns 500 instead of 400 for an invalid push or pull': respondsWith(either, 400, 500),
    'returns 200 with success false for an invalid push or pull': accepts(
      either,
      { success: false, messages: ['Invalid request'] },
      400,
    ),
  }),
  ...breaking('ppf.processed-is-200', {
    'returns 201 instead of 200 for push and pull': respondsWith(either, 200, 201),
    'returns 204 without a body for push and pull': respondsWith(either, 200, 204, ''),
    'returns 200 without a body for push and pull': respondsWith(either, 200, 200, ''),
    'wraps success and messages in another object': sends(either, body => ({ result: body })),
    'returns 400 when a push or pull has errors': {
      response: ({ status, text }, asked) =>
        status === 200 && either(asked) && fieldsOf({ json: parsedJson(text) }).success === false
          ? { status: 400 }
          : {},
    },
    'leaves messages out of the response': sends(either, ({ success }) => ({ success })),
    'leaves success out of the response': sends(either, ({ messages }) => ({ messages })),
    'sends null for messages when there are none': sendsMessages(list => (list.length === 0 ? null : list)),
    'returns 404 when a user of a push or pull does not exist': refuses(namesUnknownUser, 404),
    'returns 404 when a group, filter or dashboard does not exist': sum(
      refuses(namesUnknownOther, 404),
      respondsWith(namesUnknownOther, 400, 404),
    ),
  }),
  ...breaking('ppf.success-flag', {
    'always sends success true': sendsSuccess(() => true),
    'always sends success false': sendsSuccess(() => false),
    'sends success false for true and true for false': sendsSuccess(success => !success),
    'sends success true if any of the users was found': sendsSuccess(
      (success, asked) => recipientsOf(asked).length > 0 || success,
    ),
    'sends the success of the previous request': sendsOld((_, { success }) => ({ success })),
    'skips unknown users of a push or pull without a message': leavesOut((message, asked) =>
      endsWithOneOf(message, unknownUsers(asked)),
    ),
    'skips unknown groups, filters and dashboards without a message': leavesOut((message, asked) =>
      endsWithOneOf(message, unknownOthers(asked)),
    ),
    'skips items that a user is not allowed to see without a message': leavesOut(
      (message, asked) => !endsWithOneOf(message, [...unknownUsers(asked), ...unknownOthers(asked)]),
    ),
  }),
  ...breaking('ppf.failure-message', {
    'never sends messages': sendsMessages(() => []),
    ...Object.fromEntries(
      ['user', 'group', 'filter', 'dashboard'].map(kind => [
        `leaves out messages about ${kind}s`,
        sendsMessages(list => list.filter(message => !message.toLowerCase().includes(kind))),
      ]),
    ),
    'reports only the first thing that went wrong': sendsMessages(list => list.slice(0, 1)),
    'sends messages that do not name the user or item': sendsMessages(list => list.map(() => 'Something went wrong')),
    'sends the messages of the previous request': sendsOld((_, { messages }) => ({ messages })),
  }),
  ...common,
  ...breaking('ppf.push', {
    'replaces the favourites of the users with the pushed items': also(pushing, clearsFavourites(true)),
  }),
  ...breaking('ppf.pull', {
    'removes all favourites of the users on a pull': also(pulling, clearsFavourites(false)),
  }),
];

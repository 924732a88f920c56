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
  doesNothing,
  type Fields,
  fieldsOf,
  has,
  isAdmin,
  isMistyped,
  isText,
  listIn,
  not,
  onlyFirst,
  readsFields,
  readsLists,
  refuses,
  remembers,
  respondsWith,
  sends,
  servesAs,
  sum,
  takesOneForList,
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
const isMistypedHere = both(either, isMistyped({ users: 'texts', groups: 'texts', filters: 'ids', dashboards: 'ids' }));
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

/** Reads the body without a field. */
const without = (when: When, name: string) => readsFields(when, ({ [name]: _, ...fields }) => fields);

/** Does nothing with a list, whether or not another one is given. */
const ignores = (when: When, name: string, other: string) =>
  sum(without(both(when, has(other)), name), doesNothing(both(when, not(has(other)))));

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
    ['push', ['ppf.push'], pushing, 'pushes', 'a push'],
    ['pull', ['ppf.pull'], pulling, 'pulls', 'a pull'],
    ['push-pull', ['ppf.push', 'ppf.pull'], either, 'pushes and pulls', 'push and pull'],
  ] as const
).flatMap(([id, own, when, does, where]) =>
  breaking(own, {
    [`${id}-nothing: reports success for ${where} without doing it`]: doesNothing(when),
    [`${id}-opposite: ${does === 'pushes' ? 'pulls' : does === 'pulls' ? 'pushes' : 'swaps push and pull'} instead`]:
      sum(servesAs(both(when, pushing), '/push', '/pull'), servesAs(both(when, pulling), '/pull', '/push')),
    ...Object.fromEntries(
      [
        ['users', 'groups'],
        ['groups', 'users'],
        ['filters', 'dashboards'],
        ['dashboards', 'filters'],
      ].flatMap(([list = '', other = '']) => [
        [
          `${id}-${list}-beside-${other}: ignores ${list} beside ${other} in ${where}`,
          without(both(when, has(other)), list),
        ],
        [`${id}-${list}-ignored: ignores ${list} in ${where}`, ignores(when, list, other)],
        [
          `${id}-${list}-first-only: uses only the first of the ${list} in ${where}`,
          readsLists(when, [list], onlyFirst),
        ],
      ]),
    ),
    [`${id}-first-item-only: uses only the first filter and the first dashboard in ${where}`]: readsLists(
      when,
      ITEMS,
      onlyFirst,
    ),
    [`${id}-last-dropped: leaves out the last element of each list in ${where}`]: readsLists(
      when,
      ['users', 'groups', ...ITEMS],
      list => (list.length > 1 ? list.slice(0, -1) : list),
    ),
    [`${id}-all-users: ${does} for all users instead of the given ones`]: also(
      when,
      transfers(({ world }) => [...world.users.keys()]),
    ),
    [`${id}-caller-instead: ${does} for the caller instead of the users and groups given`]: readsFields(
      both(when, hasRecipient),
      (fields, { caller }) => (caller.name === undefined ? fields : { ...fields, users: [caller.name], groups: [] }),
    ),
    [`${id}-caller-too: ${does} for the caller as well`]: also(
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
    [`no-${what}-accepted: reports success without any ${one} and ${other}`]: accepts(isMissing, DONE, 400),
    [`no-${what}-for-all: uses all ${one} there are when neither ${one} nor ${other} are given`]: readsFields(
      isMissing,
      (fields, { world }) => ({ ...fields, [one]: [...world[one].keys()] }),
    ),
    ...Object.fromEntries(
      [
        [one, other],
        [other, one],
      ].map(([list = '', rest]) => [
        `${list}-required: requires ${list} in push and pull even when ${rest} are given`,
        refuses(both(either, not(has(list)))),
      ]),
    ),
    [`${one}-and-${other}-required: requires both ${one} and ${other} in push and pull`]: refuses(
      both(either, not(both(has(one), has(other)))),
    ),
    [`${one}-or-${other}: refuses both ${one} and ${other} in one request`]: refuses(
      both(either, has(one), has(other)),
    ),
  }),
);

export const pushPullFaults: readonly ServerFault[] = [
  ...breaking('ppf.authenticated', {
    'anonymous-permitted: lets anonymous callers push and pull': asAdmin(isAnonymous),
    'anonymous-to-login: redirects anonymous callers of push and pull to a login page': {
      response: ({ status }, asked) =>
        status >= 400 && either(asked) && isAnonymous(asked) ? { status: 302, text: '' } : {},
    },
    'passwords-unchecked: accepts any password on push and pull': asUser(not(isAnonymous), ({ caller }) => caller.name),
  }),
  ...breaking('ppf.admin-only', {
    'everyone-permitted: lets users who are not admins push and pull': asAdmin(isOther),
    'everyone-may-push: lets users who are not admins push': asAdmin(both(pushing, isOther)),
    'everyone-may-pull: lets users who are not admins pull': asAdmin(both(pulling, isOther)),
    'admin-refused: refuses push and pull by admins': refuses(both(either, isAdmin), 403),
    'admin-inverted: refuses push and pull by admins and lets all other users': sum(
      asAdmin(isOther),
      refuses(both(either, isAdmin), 403),
    ),
    'not-admin-401: returns 401 to users who are not admins': respondsWith(both(either, isOther), 403, 401),
    'not-admin-applied: returns 403 to users who are not admins but still applies the push or pull': transfersAnyway(
      both(either, isOther),
    ),
  }),
  ...breaking('ppf.body-types', {
    'ids-as-text: accepts filter and dashboard ids as text': readsLists(either, ITEMS, list =>
      list.map(id => (isText(id) && /^\d+$/.test(id) ? Number(id) : id)),
    ),
    ...Object.fromEntries(
      ITEMS.map(list => [
        `${list}-as-text: requires the ids of ${list} as text`,
        readsLists(either, [list], ids => ids.map(id => (isText(id) ? Number(id) : `${id}`))),
      ]),
    ),
    'single-values: accepts a single name or id where push and pull expect a list': takesOneForList(
      either,
      'users',
      'groups',
      ...ITEMS,
    ),
    'mistyped-accepted: reports success for lists of the wrong type': accepts(isMistypedHere, DONE, 400),
  }),
  ...needs,
  ...breaking('ppf.invalid-is-400', {
    'invalid-422: returns 422 instead of 400 for an invalid push or pull': respondsWith(either, 400, 422),
    'invalid-500: returns 500 instead of 400 for an invalid push or pull': respondsWith(either, 400, 500),
    'invalid-200: returns 200 with success false for an invalid push or pull': accepts(
      either,
      { success: false, messages: ['Invalid request'] },
      400,
    ),
  }),
  ...breaking('ppf.processed-is-200', {
    'processed-201: returns 201 instead of 200 for push and pull': respondsWith(either, 200, 201),
    'processed-204: returns 204 without a body for push and pull': respondsWith(either, 200, 204, ''),
    'processed-without-body: returns 200 without a body for push and pull': respondsWith(either, 200, 200, ''),
    'processed-wrapped: wraps success and messages in another object': sends(either, body => ({ result: body })),
    'failure-400: returns 400 when a push or pull has errors': {
      response: ({ status, text }, asked) =>
        status === 200 && either(asked) && fieldsOf({ json: parsedJson(text) }).success === false
          ? { status: 400 }
          : {},
    },
    'messages-missing: leaves messages out of the response': sends(either, ({ success }) => ({ success })),
    'success-missing: leaves success out of the response': sends(either, ({ messages }) => ({ messages })),
    'messages-null: sends null for messages when there are none': sendsMessages(list =>
      list.length === 0 ? null : list,
    ),
    'unknown-user-404: returns 404 when a user of a push or pull does not exist': refuses(namesUnknownUser, 404),
    'unknown-item-404: returns 404 when a group, filter or dashboard does not exist': sum(
      refuses(namesUnknownOther, 404),
      respondsWith(namesUnknownOther, 400, 404),
    ),
  }),
  ...breaking('ppf.success-flag', {
    'success-always-true: always sends success true': sendsSuccess(() => true),
    'success-always-false: always sends success false': sendsSuccess(() => false),
    'success-inverted: sends success false for true and true for false': sendsSuccess(success => !success),
    'success-if-any: sends success true if any of the users was found': sendsSuccess(
      (success, asked) => recipientsOf(asked).length > 0 || success,
    ),
    'success-stale: sends the success of the previous request': sendsOld((_, { success }) => ({ success })),
    'unknown-users-skipped: skips unknown users of a push or pull without a message': leavesOut((message, asked) =>
      endsWithOneOf(message, unknownUsers(asked)),
    ),
    'unknown-others-skipped: skips unknown groups, filters and dashboards without a message': leavesOut(
      (message, asked) => endsWithOneOf(message, unknownOthers(asked)),
    ),
    'unseen-items-skipped: skips items that a user is not allowed to see without a message': leavesOut(
      (message, asked) => !endsWithOneOf(message, [...unknownUsers(asked), ...unknownOthers(asked)]),
    ),
  }),
  ...breaking('ppf.failure-message', {
    'messages-empty: never sends messages': sendsMessages(() => []),
    ...Object.fromEntries(
      ['user', 'group', 'filter', 'dashboard'].map(kind => [
        `messages-without-${kind}s: leaves out messages about ${kind}s`,
        sendsMessages(list => list.filter(message => !message.toLowerCase().includes(kind))),
      ]),
    ),
    'messages-first-only: reports only the first thing that went wrong': sendsMessages(list => list.slice(0, 1)),
    'messages-without-names: sends messages that do not name the user or item': sendsMessages(list =>
      list.map(() => 'Something went wrong'),
    ),
    'messages-stale: sends the messages of the previous request': sendsOld((_, { messages }) => ({ messages })),
  }),
  ...common,
  ...breaking('ppf.push', {
    'push-replaces: replaces the favourites of the users with the pushed items': also(pushing, clearsFavourites(true)),
  }),
  ...breaking('ppf.pull', {
    'pull-clears: removes all favourites of the users on a pull': also(pulling, clearsFavourites(false)),
  }),
];

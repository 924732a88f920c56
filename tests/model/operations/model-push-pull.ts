// Push and pull, as the model has them.
import { bodyIn, checkNames, eachOnce, fieldsIn, type Given, meant, refuse } from './given.js';

const row = (verb: 'push' | 'pull') => ({
  method: 'POST',
  path: `/${verb}`,
  fields: {
    body: { users: ['text'], groups: ['text'], filters: ['integer'], dashboards: ['integer'] },
    reply: { success: 'boolean', messages: ['text'] },
  },
  perform: (given: Given) => transfer(verb === 'push', given),
});

export const pushPullOperations = { 'ppf.push': row('push'), 'ppf.pull': row('pull') };

/** The response of a push or a pull. */
function transfer(isPush: boolean, given: Given): { status: number; body: unknown } {
  const { world, read, caller } = given;
  const isAdmin = world.users.get(caller)?.admin === true && world.licence.ppf === 'valid';
  const status = caller === 'anonymous' ? Number(read('ppf-anonymous')) : 403;
  if (!isAdmin && read('ppf-check-order') === '403-first') refuse(status);
  checkNames(given, []);
  const body = transferBody(given);
  if (!isAdmin) refuse(status);
  const { filters = [], dashboards = [] } = body;
  const users = (body.users ?? []).map(name => meant(given, name, world.users));
  const groups = (body.groups ?? []).map(name => meant(given, name, world.groups));
  const unknown = (what: string, names: readonly unknown[], known: { has(name: string): boolean }) =>
    [...new Set(names)]
      .filter(name => !known.has(String(name)))
      .map(name => missingText(given, what, asSent(name, given)));
  const unnamed = (names: readonly string[], known: { has(name: string): boolean }) =>
    eachOnce(
      given,
      names.filter(name => !known.has(name)),
    );
  const things = [
    ...unknown('group with name', unnamed(groups, world.groups), world.groups),
    ...unknown('filter with id', filters, world.filters),
    ...unknown('dashboard with id', dashboards, world.dashboards),
  ];
  if (things.length > 0 && read('ppf-unknown-item') === '400') refuse(400);
  const messages = [...unknown('user with name', unnamed(users, world.users), world.users), ...things];
  const members = groups.flatMap(group => [...(world.groups.get(group) ?? [])].sort());
  const recipients = [...new Set([...users.filter(user => world.users.has(user)), ...members])];
  const changes: Array<() => void> = [];
  let notes = 0;
  for (const [kind, ids] of [['filters', filters] as const, ['dashboards', dashboards] as const])
    for (const id of new Set(ids.filter(one => world[kind].has(String(one)))))
      for (const user of recipients) {
        const outcome = passed(isPush, given, user, kind, id);
        if (typeof outcome === 'object') notes += 1;
        if (typeof outcome === 'object') messages.push(outcome.note);
        else if (typeof outcome === 'string') messages.push(outcome);
        else if (outcome !== undefined) changes.push(outcome);
      }
  const success = messages.length === notes;
  const isKept = success || read('ppf-partial') === 'apply-rest';
  if (changes.length > 0 && isKept && read('ppf-effect') !== 'record-only') {
    for (const change of changes) change();
    given.happened();
  }
  return { status: 200, body: { success, messages } };
}

/** `what`: such as `user with name`. */
function missingText({ read }: Given, what: string, name: unknown): string {
  return read('ppf-message-text') === 'vendor'
    ? `Could not find ${what} ${name}`
    : `No such ${what.split(' ')[0]}: ${name}`;
}

interface TransferBody {
  readonly users?: string[];
  readonly groups?: string[];
  readonly filters?: number[];
  readonly dashboards?: number[];
}

/** A whole number that JavaScript cannot represent is shown as written in the body. */
function asSent(name: unknown, { request: { body } }: Given): unknown {
  if (typeof name !== 'number' || Number.isSafeInteger(name) || body.kind !== 'json') return name;
  return (
    [...body.text.matchAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)].find(([sent]) => Number(sent) === name)?.[0] ?? name
  );
}

function transferBody(given: Given): TransferBody {
  const shape = { users: 'texts', groups: 'texts', filters: 'ids', dashboards: 'ids' } as const;
  const body = fieldsIn(bodyIn(given, {}), shape, given, false) as TransferBody; // as the shape says
  const counts = (list: readonly unknown[] | undefined) =>
    list !== undefined && (list.length > 0 || given.read('ppf-empty-arrays') === 'present');
  if (![body.users, body.groups].some(counts) || ![body.filters, body.dashboards].some(counts)) refuse(400);
  return body;
}

/** One item and one user: the change, or the message why there is none, which may be no failure; or neither. */
function passed(
  isPush: boolean,
  { world, read }: Given,
  user: string,
  kind: 'filters' | 'dashboards',
  id: number,
): (() => void) | string | { readonly note: string } | undefined {
  const isVendor = read('ppf-message-text') === 'vendor';
  const short = `${kind === 'filters' ? 'Filter' : 'Dashboard'} ${id}`;
  const name = short.replace(' ', ' with id ');
  const favourites = world.favourites.get(user)?.[kind];
  if (favourites === undefined) return undefined;
  const { owner = '', sharedWith = 'nobody' } = world[kind].get(String(id)) ?? {};
  const isSeen =
    owner === user ||
    sharedWith === 'everyone' ||
    (sharedWith !== 'nobody' &&
      (sharedWith.users.has(user) || [...sharedWith.groups].some(group => world.groups.get(group)?.has(user))));
  if (isPush && !isSeen && read('ppf-invisible-item') === 'message')
    return isVendor ? `${name} is not visible to user with name ${user}` : `Not allowed for ${user}: ${short}`;
  const place = `${user} ${kind} ${id}`;
  const isOwn = !isPush && favourites.has(id) && !world.pushed.has(place);
  if (favourites.has(id) === isPush || (isOwn && read('ppf-effect') === 'pushed-only')) {
    const how = isPush ? 'is a favourite already of' : isOwn ? 'was not pushed to' : 'is no favourite of';
    const reading = read('ppf-no-change');
    if (reading === 'ok') return undefined;
    const note = isVendor ? `${name} ${how} user with name ${user}` : `Nothing to do for ${user}: ${short}`;
    return reading === 'note' ? { note } : note;
  }
  return () => {
    favourites[isPush ? 'add' : 'delete'](id);
    world.pushed[isPush ? 'add' : 'delete'](place);
  };
}

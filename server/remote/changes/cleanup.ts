// Undoes the changes of a run on a foreign server, to the state of the fixture, with documented operations only. Reports what remains; never throws
// because a server refuses.
import type { HttpRequest } from '../../derive/sending/call.js';
import { isObject } from '../../domain/form/patch.js';
import { favouritesOf, type Permission } from '../../domain/world.js';
import type { OperationId } from '../../operations/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Step } from '../../scenario/format/step-format.js';
import { requestOf } from '../../scenario/play/asking.js';
import { bodyOf } from '../../scenario/play/judging.js';
import { type Received, type Target, Unreachable } from '../../scenario/play/target.js';
import type { NamesThere } from '../names/name-map.js';
import { type Change, each, isTakenBack } from './changes.js';
import { subjectOf } from './render-changes.js';

export interface Cleanup {
  /** Changes that no documented operation can undo. */
  readonly stays: readonly Change[];
  /** Failed undos, each with the reason. */
  readonly left: readonly string[];
}

export interface Surroundings {
  readonly target: Target;
  readonly names: NamesThere;
  /** What the server is known to follow. */
  readonly known: SomeReadings;
}

type FavouriteChange = Extract<Change, { kind: 'favourite' }>;
type PermissionChange = Extract<Change, { kind: 'permission' }>;

/** Undoes possible changes, which may include some that never happened. */
export async function cleanUp(changes: readonly Change[], surroundings: Surroundings): Promise<Cleanup> {
  const all = each(changes);
  const cleaner = new Cleaner(surroundings);
  try {
    await Promise.all([cleaner.members(all), cleaner.permissions(all), cleaner.favourites(all)]);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    cleaner.left.push(`everything else: ${error.message}`);
  }
  const group = surroundings.known['unknown-group'];
  const isMade = group === undefined || group === 'create';
  const stays = all.filter(change => !isTakenBack(change) && (change.kind !== 'group' || isMade));
  return { stays, left: [...new Set(cleaner.left)] };
}

class Cleaner {
  readonly left: string[] = [];

  constructor(private readonly around: Surroundings) {}

  async members(changes: readonly Change[]): Promise<void> {
    const members = changes.filter(change => change.kind === 'member');
    await Promise.all([...new Set(members.map(change => change.group))].map(group => this.#members(group, members)));
  }

  async #members(group: string, members: ReadonlyArray<Extract<Change, { kind: 'member' }>>): Promise<void> {
    const { names, known } = this.around;
    const real = names.real('group', group);
    if (real === undefined) return;
    const users = this.#real('user', names.world.groups.get(group) ?? []);
    const others = this.#real(
      'user',
      members.filter(change => change.group === group).map(({ user }) => user),
    ).filter(user => !users.includes(user));
    if (users.length > 0 || known['set-users-empty'] !== '400') {
      if (isDone(await this.#ask('groups.set-users', { body: { group: real, users } }))) return;
    }
    const answers = [
      others.length === 0
        ? undefined
        : await this.#ask('groups.remove-users', { body: { group: real, users: others } }),
      users.length === 0 ? undefined : await this.#ask('groups.add-users', { body: { group: real, users } }),
    ];
    const refused = answers.find(answer => answer !== undefined && !isDone(answer));
    if (refused !== undefined) this.left.push(`the members of the group ${real}: ${reasonText(refused)}`);
  }

  async permissions(changes: readonly Change[]): Promise<void> {
    const touched = changes.filter(change => change.kind === 'permission');
    await Promise.all([...new Set(touched.map(change => change.page))].map(page => this.#page(page, touched)));
  }

  async #page(page: string, touched: readonly PermissionChange[]): Promise<void> {
    for (const permission of ['edit', 'view'] as const) {
      const ofPage = touched.filter(change => change.page === page && change.permission === permission);
      const had = ({ of, name }: PermissionChange) =>
        this.around.names.world.pages.get(page)?.[permission][of].has(name) === true;
      await this.#permission(page, permission, 'add', ofPage.filter(had));
      const added = ofPage.filter(change => !had(change));
      await this.#permission(page, permission, 'remove', added);
    }
  }

  async #permission(
    page: string,
    permission: Permission,
    what: 'add' | 'remove',
    changes: readonly PermissionChange[],
  ): Promise<void> {
    const { names } = this.around;
    const pageId = names.real('page', page);
    if (pageId === undefined || changes.length === 0) return;
    const ask = (some: readonly PermissionChange[]) =>
      this.#ask(`permissions.${permission}-${what}`, {
        path: { pageId },
        body: {
          groups: this.#real(
            'group',
            some.filter(({ of }) => of === 'groups').map(({ name }) => name),
          ),
          users: this.#real(
            'user',
            some.filter(({ of }) => of === 'users').map(({ name }) => name),
          ),
        },
      });
    if (isDone(await ask(changes))) return;
    for (const change of changes) {
      const answer = await ask([change]);
      const isKnown = names.world[change.of].has(change.name); // what the fixture does not have may not be there either
      if (!isDone(answer) && isKnown) this.left.push(`${subjectOf(change, names)}: ${reasonText(answer)}`);
    }
  }

  /** Each item at once of all users; where the server reports anything, one by one, because it may reject a whole request for one part. */
  async favourites(changes: readonly Change[]): Promise<void> {
    const { names, known } = this.around;
    if (known['ppf-effect'] === 'record-only') return;
    const byRequest = new Map<string, FavouriteChange[]>();
    for (const change of changes) {
      if (change.kind !== 'favourite' || names.real('user', change.user) === undefined) continue;
      const key = `${this.#had(change)} ${change.item} ${change.id}`;
      byRequest.set(key, [...(byRequest.get(key) ?? []), change]);
    }
    await Promise.all([...byRequest.values()].map(alike => this.#favourite(alike)));
  }

  async #favourite(alike: readonly FavouriteChange[]): Promise<void> {
    const { names } = this.around;
    const [first] = alike;
    const id = first && names.realId(first.item === 'filters' ? 'filter' : 'dashboard', first.id);
    if (first === undefined || id === undefined) return;
    const users = this.#real(
      'user',
      alike.map(({ user }) => user),
    );
    const answer = await this.#ask(this.#had(first) ? 'ppf.push' : 'ppf.pull', { body: { users, [first.item]: [id] } });
    if (isDone(answer)) return;
    if (alike.length > 1) await Promise.all(alike.map(change => this.#favourite([change])));
    else if (answer.status < 200 || answer.status >= 300)
      this.left.push(`${subjectOf(first, names)}: ${reasonText(answer)}`);
  }

  #had({ user, item, id }: FavouriteChange): boolean {
    return favouritesOf(this.around.names.world, user)[item].has(id);
  }

  #real(kind: 'user' | 'group', found: Iterable<string>): string[] {
    return [...found].sort().flatMap(name => this.around.names.real(kind, name) ?? []);
  }

  #ask(call: OperationId, parts: Pick<Step, 'path' | 'body'>): Promise<Received> {
    return this.around.target.send(requestAs(this.around, { say: '', call, ...parts }));
  }
}

/** The request of a step, sent by the admin. */
function requestAs({ names, known, target }: Surroundings, step: Step): HttpRequest {
  const asking = {
    world: names.world,
    passwords: names.passwords,
    context: target.context,
    readings: known,
    asksReadings: false,
  };
  const request = requestOf({ ...step, as: names.adminThere }, asking);
  if (request === undefined) throw new Error(`${step.call} is no request`);
  return request;
}

/** Whether nothing is left to do: it was done, or there was nothing to change. */
function isDone(answer: Received): boolean {
  const body = bodyOf(answer);
  if (answer.status === 409) return true;
  return answer.status >= 200 && answer.status < 300 && !(isObject(body) && body.success === false);
}

function reasonText({ status, text }: Received): string {
  return `the answer is ${status}${text === '' ? '' : ` ${text.slice(0, 200)}`}`;
}

// The users that each item of a push or pull concerns, and messages about the others. Groups may have 100,000 members, so common parts are computed
// once.
import type { Fact } from '../../domain/facts.js';
import { type Favourites, favouritesOf, type Item, type ItemKind, type World } from '../../domain/world/world.js';
import type { Asks } from '../operation-context.js';

export interface NamedItem {
  readonly kind: ItemKind;
  readonly id: number;
}

/** The difference between push and pull. */
export interface FavouriteEffect {
  readonly fact: 'favourite-added' | 'favourite-removed';
  /** Message about users with these favourites, if the item needs no change for them. */
  readonly done: (favourites: Favourites, item: NamedItem) => string | undefined;
  /** Whether the item must be visible to the user. */
  readonly mustSee: boolean;
  /** What it is under `ppf-effect=pushed-only`, if that differs. */
  readonly pushedOnly?: FavouriteEffect;
}

export interface AffectedUsers {
  readonly facts: readonly Fact[];
  readonly messages: readonly string[];
  /** How many of the messages are no failures. */
  readonly notes: number;
}

/** Maximum memberships to check for visibility. */
const MAX_LOOKS = 20_000_000;

/** The texts of messages. */
export interface Wording {
  missing(kind: string, key: 'name' | 'id', value: string | number): string;
  done(kind: string, id: number, doneMessage: string, user: string): string;
  unseen(kind: string, id: number, user: string): string;
}

const vendorWords: Wording = {
  missing: (kind, key, value) => `Could not find ${kind} with ${key} ${value}`,
  done: (kind, id, doneMessage, user) => `${kind} with id ${id} ${doneMessage} user with name ${user}`,
  unseen: (kind, id, user) => `${kind} with id ${id} is not visible to user with name ${user}`,
};

const otherWords: Wording = {
  missing: (kind, _, value) => `No such ${kind}: ${value}`,
  done: (kind, id, _, user) => `Nothing to do for ${user}: ${kind} ${id}`,
  unseen: (kind, id, user) => `Not allowed for ${user}: ${kind} ${id}`,
};

/** The texts of messages (gap ppf-message-text). Call it only if there is a message. */
export function wording(given: Asks<'ppf-message-text'>): Wording {
  return given.deciding('ppf-message-text') === 'other' ? otherWords : vendorWords;
}

/** All items must exist. `undefined`: too many memberships. */
export function affectedUsers(
  given: Asks<'ppf-no-change' | 'ppf-invisible-item' | 'ppf-message-text'>,
  effect: FavouriteEffect,
  recipients: readonly string[],
  items: readonly NamedItem[],
): AffectedUsers | undefined {
  const { world } = given;
  const audience = new Audience(world, recipients);
  const facts: FavouriteFact[] = [];
  const messages: string[] = [];
  const met = { done: false, unseen: false };
  let notes = 0;
  for (const named of items) {
    const { kind, id } = named;
    const item = world[kind].get(id);
    const done = audience.whoAreDone(favourites => effect.done(favourites, named));
    const seeing = effect.mustSee && item !== undefined ? audience.whoSee(item) : undefined;
    if (audience.looks > MAX_LOOKS) return undefined;
    const name = kind === 'filters' ? 'Filter' : 'Dashboard';
    if (done === undefined && seeing === undefined) {
      join(facts, { type: effect.fact, item: kind, ids: [id], users: recipients });
      continue;
    }
    const users: string[] = [];
    for (let i = 0; i < recipients.length; i += 1) {
      const user = recipients[i] ?? '';
      const doneMessage = done?.(i);
      if (seeing?.[i] === 0) {
        met.unseen = true;
        if (given.reading('ppf-invisible-item') === 'message') {
          messages.push(wording(given).unseen(name, id, user));
          continue;
        }
      }
      if (doneMessage === undefined) users.push(user);
      else {
        met.done = true;
        const reading = given.reading('ppf-no-change');
        if (reading !== 'ok') messages.push(wording(given).done(name, id, doneMessage, user));
        if (reading === 'note') notes += 1;
      }
    }
    join(facts, { type: effect.fact, item: kind, ids: [id], users });
  }
  // These cost too much to perform the request again: each shows in messages.
  if (met.done) given.deciding('ppf-no-change');
  if (met.unseen) given.deciding('ppf-invisible-item');
  return { facts, messages, notes };
}

interface FavouriteFact {
  readonly type: FavouriteEffect['fact'];
  readonly item: ItemKind;
  readonly ids: number[];
  readonly users: readonly string[];
}

/** One fact for consecutive items that concern the same users. */
function join(facts: FavouriteFact[], fact: FavouriteFact): void {
  const last = facts.at(-1);
  if (fact.users.length === 0) return;
  if (last?.item === fact.item && areSame(last.users, fact.users)) last.ids.push(...fact.ids);
  else facts.push(fact);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some === others || (some.length === others.length && some.every((name, i) => name === others[i]));
}

/** All users of a request together. */
class Audience {
  /** Favourites of any of the users, with their owners. */
  readonly #favourites: Favourites[] = [];
  readonly #favouritesOf: Uint32Array;
  /** Checked memberships. */
  looks = 0;
  #places: ReadonlyMap<string, number> | undefined;
  readonly #members = new Map<string, Uint32Array>();

  constructor(
    private readonly world: World,
    private readonly recipients: readonly string[],
  ) {
    const known = new Map<Favourites, number>();
    this.#favouritesOf = Uint32Array.from(recipients, user => {
      const favourites = favouritesOf(world, user);
      let place = known.get(favourites);
      if (place === undefined) {
        place = this.#favourites.push(favourites) - 1;
        known.set(favourites, place);
      }
      return place;
    });
  }

  /** Messages about users without a change, by index; `undefined`: none. */
  whoAreDone(
    doneMessage: (favourites: Favourites) => string | undefined,
  ): ((place: number) => string | undefined) | undefined {
    const done = this.#favourites.map(doneMessage);
    if (done.every(message => message === undefined)) return undefined;
    return place => done[this.#favouritesOf[place] ?? 0];
  }

  /** 1 for each user who may see an item; `undefined`: all may. */
  whoSee({ owner, sharedWith }: Item): Uint8Array | undefined {
    if (sharedWith === 'everyone') return undefined;
    const seeing = new Uint8Array(this.recipients.length);
    const see = (place: number | undefined) => {
      if (place !== undefined) seeing[place] = 1;
    };
    see(this.#placeOf(owner));
    if (sharedWith === 'nobody') return seeing;
    for (const user of sharedWith.users) see(this.#placeOf(user));
    for (const group of sharedWith.groups) {
      const members = this.#membersOf(group);
      this.looks += members.length;
      for (const place of members) seeing[place] = 1;
    }
    return seeing;
  }

  #placeOf(user: string): number | undefined {
    this.#places ??= new Map(this.recipients.map((name, i) => [name, i]));
    return this.#places.get(user);
  }

  /** Indexes of the members of a group. */
  #membersOf(group: string): Uint32Array {
    const known = this.#members.get(group);
    if (known !== undefined) return known;
    const places: number[] = [];
    for (const member of this.world.groups.get(group) ?? []) {
      const place = this.#placeOf(member);
      if (place !== undefined) places.push(place);
    }
    const members = Uint32Array.from(places);
    this.#members.set(group, members);
    return members;
  }
}

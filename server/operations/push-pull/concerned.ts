// Which users each item of a push or a pull concerns, and the messages about the others. A group may have a hundred thousand members, so what they
// have in common is found out once.
import type { Set as PSet } from 'immutable';
import type { Fact } from '../../domain/facts.js';
import { type Favourites, favouritesOf, type Item, type ItemKind, type World } from '../../domain/world.js';
import type { Asks } from '../operation-context.js';

export interface NamedItem {
  readonly kind: ItemKind;
  readonly id: number;
}

/** What tells push from pull. */
export interface Effect {
  readonly fact: 'favourite-added' | 'favourite-removed';
  /** Whether there is nothing left to do for an item. */
  readonly done: (favourites: PSet<number>, id: number) => boolean;
  /** What a message says of a user for whom there is nothing left to do. */
  readonly doneMessage: string;
  /** Whether only who may see an item can be concerned. */
  readonly mustSee: boolean;
}

export interface Concerned {
  readonly facts: readonly Fact[];
  readonly messages: readonly string[];
}

/** An answer with more messages helps nobody. */
const MOST_MESSAGES = 110_000;
/** Memberships that are looked at to find out who may see the items. */
const MOST_LOOKS = 20_000_000;

/** The words of messages. */
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

/** The words of messages (gap ppf-message-text). Ask only where there is something to say. */
export function wording(given: Asks<'ppf-message-text'>): Wording {
  return given.reading('ppf-message-text') === 'other' ? otherWords : vendorWords;
}

/** The items are there. `undefined`: there would be too many messages, or too much is to be looked at. */
export function concerned(
  given: Asks<'ppf-no-change' | 'ppf-invisible-item' | 'ppf-message-text'>,
  effect: Effect,
  recipients: readonly string[],
  items: readonly NamedItem[],
): Concerned | undefined {
  const { world } = given;
  const audience = new Audience(world, recipients);
  const facts: FavouriteFact[] = [];
  const messages: string[] = [];
  for (const { kind, id } of items) {
    const item = world[kind].get(id);
    const done = audience.whoAreDone(favourites => effect.done(favourites[kind], id));
    const seeing = effect.mustSee && item !== undefined ? audience.whoSee(item) : undefined;
    if (audience.looks > MOST_LOOKS) return undefined;
    const name = kind === 'filters' ? 'Filter' : 'Dashboard';
    if (done === undefined && seeing === undefined) {
      join(facts, { type: effect.fact, item: kind, ids: [id], users: recipients });
      continue;
    }
    const users: string[] = [];
    for (let i = 0; i < recipients.length; i += 1) {
      const user = recipients[i] ?? '';
      if (done?.(i)) {
        if (given.reading('ppf-no-change') !== 'message') continue;
        messages.push(wording(given).done(name, id, effect.doneMessage, user));
      } else if (seeing !== undefined && seeing[i] === 0 && given.reading('ppf-invisible-item') === 'message')
        messages.push(wording(given).unseen(name, id, user));
      else users.push(user);
      if (messages.length > MOST_MESSAGES) return undefined;
    }
    join(facts, { type: effect.fact, item: kind, ids: [id], users });
  }
  return { facts, messages };
}

interface FavouriteFact {
  readonly type: Effect['fact'];
  readonly item: ItemKind;
  readonly ids: number[];
  readonly users: readonly string[];
}

/** One fact for all items in a row that concern the same users. */
function join(facts: FavouriteFact[], fact: FavouriteFact): void {
  const last = facts.at(-1);
  if (fact.users.length === 0) return;
  if (last?.item === fact.item && areSame(last.users, fact.users)) last.ids.push(...fact.ids);
  else facts.push(fact);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some === others || (some.length === others.length && some.every((name, i) => name === others[i]));
}

/** The users of a request, looked at together. */
class Audience {
  /** The favourites that any of them have, and for each of them which. */
  readonly #favourites: Favourites[] = [];
  readonly #favouritesOf: Uint32Array;
  /** Memberships that have been looked at. */
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

  /** For whom there is nothing left to do, by place; `undefined` where that is nobody. */
  whoAreDone(isDone: (favourites: Favourites) => boolean): ((place: number) => boolean) | undefined {
    const done = this.#favourites.map(isDone);
    if (!done.includes(true)) return undefined;
    return place => done[this.#favouritesOf[place] ?? 0] === true;
  }

  /** A 1 for each who may see an item: its owner, and who it is shared with by name or by group; `undefined` where all may. */
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

  /** The places of those who are in a group. */
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

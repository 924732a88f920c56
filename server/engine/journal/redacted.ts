// What is kept or shown of requests, changes, faults and worlds, with the secrets in it hidden.
import type { Fact } from '../../domain/facts.js';
import { isObject } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/in-one-go.js';
import { putPage } from '../../domain/pages.js';
import type { SidebarLink, World } from '../../domain/world.js';
import type { Fault } from '../faults/fault.js';
import type { Body } from '../request/request.js';
import type { Change } from '../sandbox/state.js';
import { HIDDEN, isSecretField, redactBody, redactHeader, redactText, redactValue } from './secrets.js';

/** A body with its secrets hidden; the same body where there are none. */
export function redactRequestBody(body: Body): Body {
  if (body.kind !== 'json' && body.kind !== 'not-json') return body;
  const text = body.kind === 'json' ? redactBody(body.text, body.value) : redactBody(body.text);
  if (text === body.text) return body;
  return { ...body, text };
}

export function redactFacts(facts: readonly Fact[]): readonly Fact[] {
  return facts.map(redactFact);
}

export function redactFact(fact: Fact): Fact {
  return redactStrings(fact) as Fact; // it has the same fields
}

/** Every text in it, whatever its name: facts and patches have names of users, pages and spaces for keys. The same value where nothing is hidden. */
function redactStrings(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  const shown = new Map<string, unknown>();
  for (const name in value) {
    const part: unknown = value[name as keyof typeof value];
    const redacted = redactStrings(part);
    if (redacted !== part) shown.set(name, redacted);
  }
  if (shown.size === 0) return value;
  if (Array.isArray(value)) return value.map((part, i) => shown.get(String(i)) ?? part);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shown.get(name) ?? part]));
}

/** A change as readers of events are told it. */
export function redactChange(change: Change): Change {
  if (change.type === 'faults-set')
    return { ...change, faults: change.faults.map(armed => ({ ...armed, fault: redactFault(armed.fault) })) };
  const shown = redactStrings(change) as Change; // it has the same fields
  if (shown.type !== 'world-patched' || !isObject(shown.patch.users)) return shown;
  const users = Object.entries(shown.patch.users).map(([name, user]) => [name, redactUser(user)] as const);
  return { ...shown, patch: { ...shown.patch, users: Object.fromEntries(users) } };
}

function redactUser(user: unknown): unknown {
  if (!isObject(user)) return user;
  const fields = Object.entries(user).map(([name, value]) => [
    name,
    value !== null && isSecretField(name) ? HIDDEN : value,
  ]);
  return Object.fromEntries(fields);
}

/** A fault as others are shown it. Status and connection do not depend on what is hidden. */
export function redactFault<F extends Fault>(fault: F): F {
  const { headers, body } = fault.effect;
  if (headers === undefined && body === undefined) return fault;
  const shown = Object.entries(headers ?? {}).map(([name, value]) => [name, redactHeader(name, value)] as const);
  const effect = {
    ...fault.effect,
    ...(headers !== undefined && { headers: Object.fromEntries(shown) }),
    ...(body !== undefined && { body: typeof body === 'string' ? redactBody(body) : redactValue(body) }),
  };
  return { ...fault, effect };
}

const redactedWorlds = new WeakMap<World, World>();

/** The world with the secrets in its texts hidden: pages and sidebars. Passwords and tokens of users stay, who have to get in. */
export function redactWorld(world: World): World {
  return inOneGo(redactingWorld(world));
}

/** The same, which may be interrupted. */
export function* redactingWorld(world: World): Generator<unknown, World> {
  const known = redactedWorlds.get(world);
  if (known !== undefined) return known;
  const shown = redactSidebars(yield* redactingPages(world));
  redactedWorlds.set(world, shown);
  return shown;
}

function* redactingPages(world: World): Generator<unknown, World> {
  let shown = world;
  for (const [id, page] of world.pages) {
    yield;
    const [title, body] = [redactText(page.title), redactText(page.body)];
    if (title !== page.title || body !== page.body) shown = putPage(shown, id, { ...page, title, body });
  }
  return shown;
}

function redactSidebars(world: World): World {
  let { spaces } = world;
  for (const [key, space] of world.spaces) {
    const sidebar = space.sidebar.map(redactLink);
    if (sidebar.some((link, i) => link !== space.sidebar[i]))
      spaces = spaces.set(key, Object.freeze({ ...space, sidebar }));
  }
  return spaces === world.spaces ? world : { ...world, spaces };
}

function redactLink(link: SidebarLink): SidebarLink {
  const [label, url] = [redactText(link.label), redactText(link.url)];
  return label === link.label && url === link.url ? link : { label, url };
}

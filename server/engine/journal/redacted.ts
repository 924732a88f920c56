// Requests, changes, faults and worlds with their secrets hidden.
import type { Fact } from '../../domain/facts.js';
import { inOneGo } from '../../domain/world/in-one-go.js';
import { putPage } from '../../domain/world/pages.js';
import type { SidebarLink, World } from '../../domain/world/world.js';
import type { Body } from '../request/request.js';
import { redactBody, redactText } from '../secrets.js';

/** A body with its secrets hidden; the same body if there are none. */
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

/**
 * Hides secrets in every string, whatever its key: keys of facts and patches are names of users, pages and spaces. The same value if nothing is
 * hidden.
 */
export function redactStrings(value: unknown): unknown {
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

const redactedWorlds = new WeakMap<World, World>();

/** The world with secrets in pages and sidebars hidden. Passwords and tokens of users stay, because they are needed. */
export function redactWorld(world: World): World {
  return inOneGo(redactingWorld(world));
}

/** The same, interruptible. */
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

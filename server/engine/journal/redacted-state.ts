// Facts and worlds with their secrets hidden.

import type { Fact } from '../../domain/facts.js';
import { keptFor } from '../../domain/kept-for.js';
import { putPage } from '../../domain/world/pages.js';
import type { Space, World } from '../../domain/world/world.js';
import { redactText, redactValue } from '../secrets.js';

export function redactFacts(facts: readonly Fact[]): readonly Fact[] {
  return facts.map(redactFact);
}

export function redactFact(fact: Fact): Fact {
  return redactStrings(fact) as Fact; // it has the same fields
}

/** Hides secrets in every string, whatever its key: keys of facts and patches are names of users, pages and spaces. */
export function redactStrings(value: unknown): unknown {
  return redactValue(value, false);
}

/** The world with secrets in pages and sidebars hidden. Passwords and tokens of users stay, because they are needed. */
export const redactWorld = keptFor((world: World): World => {
  let shown = world;
  for (const [id, page] of world.pages) {
    const [title, body] = [redactText(page.title), redactText(page.body)];
    if (title !== page.title || body !== page.body) shown = putPage(shown, id, { ...page, title, body });
  }
  for (const [key, space] of world.spaces) {
    const sidebar = redactStrings(space.sidebar) as Space['sidebar'];
    if (sidebar !== space.sidebar)
      shown = { ...shown, spaces: shown.spaces.set(key, Object.freeze({ ...space, sidebar })) };
  }
  return shown;
});

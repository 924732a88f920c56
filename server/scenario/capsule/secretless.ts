// A world written out without its secrets: who has a password or a token has another one in it. Knows no capsule.
import { formOf } from '../../domain/form.js';
import type { WorldForm } from '../../domain/form-shapes.js';
import type { World } from '../../domain/world.js';
import { redactWorld } from '../../engine/redacted.js';

/** The form of a world, with a stand-in for each password and token, so that nobody who needed one gets in without, and its texts redacted. */
export function secretless(world: World): WorldForm {
  const form = formOf(redactWorld(world));
  const users = Object.entries(form.users).map(([name, { password, token, ...rest }]) => [
    name,
    {
      ...rest,
      ...(password !== undefined && { password: `password of ${name}` }),
      ...(token !== undefined && { token: `token of ${name}` }),
    },
  ]);
  return { ...form, users: Object.fromEntries(users) };
}

// A world without secrets: passwords and tokens are replaced by placeholders.
import { forming } from '../../domain/form/form.js';
import type { UserForm, WorldForm } from '../../domain/form/form-shapes.js';
import { isObject, type WorldPatch } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/world/in-one-go.js';
import type { World } from '../../domain/world/world.js';
import { redactingWorld } from '../../engine/secrets.js';

const standIns = { password: (name: string) => `password of ${name}`, token: (name: string) => `token of ${name}` };
const secrets = ['password', 'token'] as const;

/** The form of a world with placeholders, so that callers who need a password still need one. */
export function secretless(world: World): WorldForm {
  return inOneGo(hidingSecrets(world));
}

/** The same, interruptible. */
export function* hidingSecrets(world: World): Generator<unknown, WorldForm> {
  const form = yield* forming(yield* redactingWorld(world));
  for (const name of Object.keys(form.users)) {
    const user = form.users[name];
    if (user?.password === undefined && user?.token === undefined) continue;
    form.users[name] = hidden(name, user);
    yield;
  }
  return form;
}

function hidden(name: string, user: UserForm): UserForm {
  const { password, token, ...rest } = user;
  return {
    ...rest,
    ...(password !== undefined && { password: standIns.password(name) }),
    ...(token !== undefined && { token: standIns.token(name) }),
  };
}

/** A patch of a world as a patch of its form without secrets: replacing one secret by another changes nothing there. */
export function secretlessPatch(patch: WorldPatch, before: World): WorldPatch {
  if (!isObject(patch.users)) return patch;
  const users = Object.entries(patch.users).flatMap(([name, user]) => {
    if (!isObject(user)) return [[name, user] as const];
    const known = before.users.get(name);
    const shown: Record<string, unknown> = { ...user };
    for (const secret of secrets) {
      if (typeof shown[secret] !== 'string') continue;
      if (known?.[secret] === undefined) shown[secret] = standIns[secret](name);
      else delete shown[secret];
    }
    return known !== undefined && Object.keys(shown).length === 0 ? [] : [[name, shown] as const];
  });
  const { users: _, ...rest } = patch;
  return users.length === 0 ? rest : { users: Object.fromEntries(users), ...rest };
}

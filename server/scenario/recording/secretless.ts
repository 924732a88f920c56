// A world without secrets: passwords and tokens are replaced by placeholders.
import { formOf } from '../../domain/form/form.js';
import type { UserForm, WorldForm } from '../../domain/form/form-shapes.js';
import type { World } from '../../domain/world/world.js';
import { redactWorld } from '../../engine/journal/redacted-state.js';

const standIns = { password: (name: string) => `password of ${name}`, token: (name: string) => `token of ${name}` };

/** The form of a world with placeholders, so that callers who need a password still need one. */
export function secretless(world: World): WorldForm {
  const form = formOf(redactWorld(world));
  for (const [name, user] of Object.entries(form.users)) form.users[name] = hidden(name, user);
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

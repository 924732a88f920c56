// Who a request comes from, given its credentials and the world. Knows no header.
import type { World } from '../../domain/world.js';
import { quoted } from '../../operations/lookups.js';
import { anonymous, type Caller, type Provenance, type Refused } from '../../operations/operation-context.js';
import type { Credentials } from './request.js';

/** The caller, or the refusal of credentials that are wrong (gap bad-credentials). */
export function callerOf(credentials: Credentials, world: World, provenance: Provenance): Caller | Refused {
  switch (credentials.kind) {
    case 'none':
      return anonymous;
    case 'unreadable':
    case 'unproved':
      return provenance.refuse('bad-credentials', credentials.problem);
    case 'basic': {
      const { user, password } = credentials;
      const known = world.users.get(user);
      if (known === undefined) return provenance.refuse('bad-credentials', `There is no user named ${quoted(user)}.`);
      if (known.password !== undefined && known.password !== password)
        return provenance.refuse('bad-credentials', `The password of ${quoted(user)} is another one.`);
      return { kind: 'user', name: user };
    }
    case 'proved':
      return world.users.has(credentials.user)
        ? { kind: 'user', name: credentials.user }
        : provenance.refuse('bad-credentials', `There is no user named ${quoted(credentials.user)}.`);
    case 'bearer': {
      const owner = world.tokens.get(credentials.token);
      return owner === undefined
        ? provenance.refuse('bad-credentials', 'No user of this world has that token.')
        : { kind: 'user', name: owner };
    }
  }
}

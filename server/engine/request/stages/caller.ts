// The stage `caller`: finds the caller by the credentials and the world.
import type { World } from '../../../domain/world/world.js';
import { absent, quoted } from '../../../operations/lookups.js';
import { anonymous, type Caller } from '../../../operations/operation-context.js';
import { type Grounds, isRefused, type Refused } from '../../../operations/provenance.js';
import { isResource } from '../../../operations/rest-api/resource.js';
import type { Credentials } from '../request.js';
import { everyOperation, type OperationProgress, stage } from '../stage.js';

export const caller = stage({
  name: 'caller',
  steps: [
    {
      name: 'credentials',
      concerns: everyOperation,
      refusals: ['bad-credentials'],
      gaps: ['auth-scheme', 'bad-credentials'],
    },
  ],
  run(progress: OperationProgress, given) {
    const { operation, request, context } = progress;
    const { credentials } = request;
    const isOpen = !isResource(operation) && isTokenOrCookie(credentials); // Confluence and Jira take all kinds
    const isIgnored = isOpen && given.reading('auth-scheme') === 'basic';
    const found = isIgnored ? anonymous : callerOf(credentials, context.world, given);
    if (isRefused(found)) return found;
    progress.caller = found;
    return undefined;
  },
});

/** Whether a token or a cookie says who the caller is. */
function isTokenOrCookie(credentials: Credentials): boolean {
  return credentials.kind === 'bearer' || ('scheme' in credentials && credentials.scheme !== undefined);
}

/** The caller; with wrong credentials, what the gap bad-credentials says. */
export function callerOf(
  credentials: Credentials,
  world: World,
  given: Grounds<'bad-credentials', 'bad-credentials'>,
): Caller | Refused {
  const found = foundCaller(credentials, world);
  if (typeof found !== 'string') return found;
  return given.reading('bad-credentials') === 'anonymous' ? anonymous : given.refuse('bad-credentials', found);
}

/** The caller, or what is wrong with the credentials. */
function foundCaller(credentials: Credentials, world: World): Caller | string {
  switch (credentials.kind) {
    case 'none':
      return anonymous;
    case 'unreadable':
    case 'unproved':
      return credentials.problem;
    case 'basic': {
      const { user, password } = credentials;
      const known = world.users.get(user);
      if (known === undefined) return absent('user', [user]);
      if (known.password !== undefined && known.password !== password) return `Wrong password for ${quoted(user)}.`;
      return { kind: 'user', name: user };
    }
    case 'proved':
      return world.users.has(credentials.user)
        ? { kind: 'user', name: credentials.user }
        : absent('user', [credentials.user]);
    case 'bearer': {
      const owner = world.tokens.get(credentials.token);
      return owner === undefined ? 'No user has this token.' : { kind: 'user', name: owner };
    }
  }
}

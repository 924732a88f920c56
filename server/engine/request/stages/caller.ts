// The stages `caller` and `browser-post`: who sends the request, by the credentials and the world, and whether a page in a browser may.
import type { World } from '../../../domain/world/world.js';
import { absent, quoted } from '../../../operations/lookups.js';
import type { Operation } from '../../../operations/operation.js';
import { anonymous, type Caller } from '../../../operations/operation-context.js';
import { type Grounds, isRefused, type Refused } from '../../../operations/provenance.js';
import type { Credentials, Request } from '../request.js';
import { everyOperation, isResource, type OperationProgress, stage } from '../stage.js';

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
    const { request, context } = progress;
    const found = callerOfRequest(request, context.world, given);
    if (isRefused(found)) return found;
    progress.caller = found;
    return undefined;
  },
});

const takesPost = ({ method, heading }: Operation) => method === 'POST' || heading?.method === 'POST';

/** Whether a POST passes the XSRF check. A POST of another client always does. */
export const browserPost = stage({
  name: 'browser-post',
  steps: [{ name: 'browser-post', concerns: takesPost, refusals: ['xsrf-check'], gaps: ['browser-post'] }],
  run({ request, operation }: OperationProgress, given) {
    if (request.isSuspect !== true || request.method !== 'POST' || isResource(operation)) return undefined;
    if (given.reading('browser-post') === 'accept') return undefined;
    return given.refuse(
      'xsrf-check',
      'XSRF check failed: the request seems to come from a browser or another origin. Send the header X-Atlassian-Token: no-check.',
    );
  },
});

/** The caller of a request under the readings. Confluence and Jira accept all kinds of credentials. */
export function callerOfRequest(
  { credentials, resource }: Pick<Request, 'credentials' | 'resource'>,
  world: World,
  given: Grounds<'bad-credentials', 'auth-scheme' | 'bad-credentials'>,
): Caller | Refused {
  const isTokenOrCookie =
    credentials.kind === 'bearer' || ('scheme' in credentials && credentials.scheme !== undefined);
  const isOpen = resource === undefined && isTokenOrCookie;
  return isOpen && given.reading('auth-scheme') === 'basic' ? anonymous : callerOf(credentials, world, given);
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

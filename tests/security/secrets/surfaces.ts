// Every endpoint of the control API with requests to it and the secrets it returns on purpose; and requests to operations with secrets in
// every possible place.
import type { Action } from '../../../server/control/actions/action.js';
import { actions } from '../../../server/control/actions.js';
import { basic } from '../../support/wire/server.js';
import { type SecretName, secretNumber, secrets } from './planted-secrets.js';

export const push = '/rest/cwx-ppf/latest/push';
export const planted = '/sandboxes/planted';

export interface Asked {
  readonly method: string;
  /** Below the sandbox for operations, below `/_fake/v1` for the control API. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request to an action. Default: to its path in the planted sandbox, with its first status. */
interface Surface extends Partial<Omit<Asked, 'method'>> {
  /** The secrets it returns on purpose: those its client stored there, and needs back. */
  readonly tells?: readonly SecretName[];
  readonly status?: number;
}

const answered: readonly SecretName[] = ['faultLocation', 'faultChallenge', 'faultBody'];
const armed: readonly SecretName[] = ['faultHeader', ...answered];
const text: readonly SecretName[] = ['worldPassword', 'worldToken', 'bodyUrl'];
const alice = (fields: object) => ({ body: { users: { alice: fields } }, status: 422 });
const state = (params: object) => ({
  headers: { 'X-Fake-Sandbox': 'states' },
  body: { state: 'user exists', params: { name: 'dora', ...params } },
});

/** Actions that need a body or tell something, in an order in which each finds what it needs. All others are asked before, once. */
const special: Readonly<Record<string, readonly Surface[]>> = {
  'sandboxes.create': [
    { body: { name: 'made' } },
    { body: { name: 'made', scenario: 'none' }, status: 400 },
    { body: { name: 'other', password: secrets.creationPassword }, status: 400 },
  ],
  'sandboxes.replace': [{ path: '/sandboxes/made', body: {}, status: 201 }],
  'world.read': [{ tells: text }, { path: `${planted}/world?at=0` }],
  'world.patch': [
    { body: { users: { alice: { admin: false } } } },
    alice({ password: [secrets.misplaced] }),
    alice({ token: { a: secrets.misplaced } }),
    alice({ password: secretNumber }),
    alice({ token: secrets.worldToken }),
  ],
  'readings.set': [{ body: {} }],
  'snapshots.keep': [{ body: { name: 'kept' } }],
  'snapshots.restore': [{ path: `${planted}/snapshots/kept/restore`, body: {} }],
  'snapshots.drop': [{ path: `${planted}/snapshots/kept` }],
  'sandboxes.diff': [{ tells: ['worldPassword', 'worldToken', 'faultHeader', 'bodyUrl', 'pageUrl', ...answered] }],
  'clock.set': [{ body: { freeze: true } }],
  'faults.list': [{ tells: armed }],
  'faults.set': [{ body: { faults: [], append: true }, tells: armed }],
  play: [{ path: '/sandboxes/made/play', body: { scenario: 'wrong-password' } }],
  'journal.verify': [
    { body: { operation: 'ppf.push' } },
    { body: { operation: 'ppf.push', times: { exactly: 99 } }, status: 417 },
    { body: { operation: 'ppf.push', query: { os_password: 'x' } }, status: 417 },
  ],
  'journal.explain': Array.from({ length: 14 }, (_, i) => ({ body: { entry: i + 1 } })),
  'provider-states.change': [
    {
      ...state({ password: secrets.statePassword, token: secrets.stateToken }),
      tells: ['statePassword', 'stateToken'],
    },
    { ...state({ admin: `http://bob:${secrets.stateUrl}@host` }), tells: ['stateUrl'], status: 400 },
    { ...state({ password: [secrets.misplaced] }), status: 400 },
    {
      path: `/provider-states?state=user+exists&name=x&password=${encodeURIComponent(secrets.statePassword)}&admin=perhaps`,
      status: 400,
    },
  ],
  'faults.release': [{ body: { hold: 'none' }, status: 404 }],
  'stubs.set': [{ body: { stubs: [], append: true } }],
  'sandboxes.rewind': [{ body: { to: 1 } }],
  'sandboxes.fork': [{ body: { name: 'forked' } }],
  'faults.clear': [{}],
  'stubs.clear': [{}],
  'journal.clear': [{}],
  'sandboxes.reset': [{ body: {} }],
  'sandboxes.drop': [{ path: '/sandboxes/forked' }],
};

const filled = ({ method, path, replies }: Action, surface: Surface = {}) => ({
  method,
  path: path.replace('{s}', 'planted'),
  tells: [] as readonly SecretName[],
  status: replies[0]?.status,
  ...surface,
});

/** Requests to all actions, without the stream of events. */
export const surfaces = [
  ...actions.filter(({ id }) => !(id in special) && id !== 'events.read').map(action => filled(action)),
  ...Object.entries(special).flatMap(([id, own]) =>
    actions.filter(action => action.id === id).flatMap(action => own.map(surface => filled(action, surface))),
  ),
];

const query = `os_authType=basic&os_username=admin&os_password=${encodeURIComponent(secrets.queryPassword)}&access_token=${encodeURIComponent(secrets.queryToken)}`;
const further = new URLSearchParams({
  pwd: secrets.queryPwd,
  access_key: secrets.queryAccessKey,
  otp: secrets.queryOtp,
  SAMLResponse: secrets.querySaml,
  next: `https://bob:${secrets.valueUrl}@host/`,
  after: `/login?os_password=${secrets.packedPassword}`,
  header: `Bearer ${secrets.valueBearer}`,
  jwt_like: secrets.valueJwt,
  spaceKey: 'readable',
});
const cookie = {
  Cookie: `JSESSIONID=${secrets.cookie}`,
  'X-Api-Key': secrets.ownHeader,
  'Proxy-Authorization': `Bearer ${secrets.ownHeader}`,
};

const body = { users: ['alice'], filters: [10500] };
/** A push by the admin, apart from what is given. */
const pushing = (search: string, other: Partial<Asked> = {}): Asked => ({
  method: 'POST',
  path: push + search,
  body,
  ...other,
  headers: { Authorization: basic('admin', 'admin'), ...other.headers },
});
const as = (authorization: string, other: Readonly<Record<string, string>> = {}) =>
  pushing('', { headers: { Authorization: authorization, ...other } });

/** Requests with secrets in every possible place. */
export const asking: readonly Asked[] = [
  as(basic('dora', secrets.worldPassword), cookie),
  as(`Bearer ${secrets.worldToken}`),
  as(basic('dora', secrets.wrongPassword)),
  as(`Bearer ${secrets.wrongToken}`),
  as(`Negotiate ${secrets.unknownScheme}`),
  pushing(`?${query}`, { headers: { 'X-Fake-Token': secrets.controlToken } }),
  pushing(`?os_password=${encodeURIComponent(secrets.undecodable)}%ff`),
  { method: 'GET', path: `/rest/nowhere?${query}`, headers: { Authorization: basic('dora', secrets.worldPassword) } },
  pushing('', { path: '/rest/cwx-ppf/latest/pull' }),
  pushing(`?${further}`),
  { method: 'GET', path: `/rest/a;jsessionid=${secrets.pathSession}/x` },
  pushing('', {
    path: '/rest/cwxapiextension/latest/spaces/add-sidebar-link',
    body: { spaceKey: 'ds', label: 'Link', url: `https://bob:${secrets.bodyUrl}@host/`, password: secrets.bodyField },
  }),
  pushing('', { body: `password=${secrets.formField}&next=https://bob:${secrets.textUrl}@host/` }),
  pushing('', {
    path: '/rest/cwxapiextension/latest/spaces/replaceInPage?spaceKey=ds&pageTitle=Welcome',
    body: [{ oldText: `https://bob:${secrets.pageUrl}@host/`, newText: 'https://host/' }],
  }),
];

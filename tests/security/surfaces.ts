// Every endpoint of the control API with requests to it and the secrets it returns on purpose; and requests to operations with secrets in
// every possible place.
import { basic } from '../support/wire/server.js';
import { type SecretName, secretNumber, secrets } from './secrets/planted-secrets.js';

export const push = '/rest/cwx-ppf/latest/push';
const body = JSON.stringify({ users: ['alice'], filters: [10500] });

export interface Asked {
  readonly method: string;
  /** Below the sandbox for operations, below `/_fake/v1` for the control API. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request to an endpoint, and the secrets it returns on purpose: those its client stored there, and needs back. */
interface Surface extends Omit<Asked, 'method'> {
  readonly tells?: readonly SecretName[];
  readonly status: number;
}

export const planted = '/sandboxes/planted';

const answered: readonly SecretName[] = ['faultLocation', 'faultChallenge', 'faultBody'];
const armed: readonly SecretName[] = ['faultHeader', ...answered];

/** Ordered so that each one finds what it needs. */
export const surfaces: Readonly<Record<string, readonly Surface[]>> = {
  'scenarios.list': [{ path: '/scenarios', status: 200 }],
  'openapi.read': [{ path: '/openapi.json', status: 200 }],
  'control-openapi.read': [{ path: '/control-openapi.json', status: 200 }],
  'ledger.read': [{ path: '/ledger', status: 200 }],
  'guide.read': [{ path: '/guide', status: 200 }],
  'sandboxes.list': [{ path: '/sandboxes', status: 200 }],
  'sandboxes.create': [
    { path: '/sandboxes', body: { name: 'made' }, status: 201 },
    { path: '/sandboxes', body: { name: 'made', scenario: 'none' }, status: 400 },
    { path: '/sandboxes', body: { name: 'other', password: secrets.creationPassword }, status: 400 },
  ],
  'sandboxes.describe': [{ path: planted, status: 200 }],
  'sandboxes.replace': [{ path: '/sandboxes/made', body: {}, status: 201 }],
  'world.read': [
    { path: `${planted}/world`, tells: ['worldPassword', 'worldToken', 'bodyUrl'], status: 200 },
    { path: `${planted}/world?at=0`, status: 200 },
  ],
  'world.patch': [
    { path: `${planted}/world`, body: { users: { alice: { admin: false } } }, status: 204 },
    { path: `${planted}/world`, body: { users: { alice: { password: [secrets.misplaced] } } }, status: 422 },
    { path: `${planted}/world`, body: { users: { alice: { token: { a: secrets.misplaced } } } }, status: 422 },
    { path: `${planted}/world`, body: { users: { alice: { password: secretNumber } } }, status: 422 },
    { path: `${planted}/world`, body: { users: { alice: { token: secrets.worldToken } } }, status: 422 },
  ],
  'readings.read': [{ path: `${planted}/readings`, status: 200 }],
  'readings.set': [{ path: `${planted}/readings`, body: {}, status: 200 }],
  'snapshots.keep': [{ path: `${planted}/snapshots`, body: { name: 'kept' }, status: 201 }],
  'snapshots.list': [{ path: `${planted}/snapshots`, status: 200 }],
  'snapshots.restore': [{ path: `${planted}/snapshots/kept/restore`, body: {}, status: 200 }],
  'snapshots.drop': [{ path: `${planted}/snapshots/kept`, status: 204 }],
  'sandboxes.diff': [
    {
      path: `${planted}/diff`,
      tells: ['worldPassword', 'worldToken', 'faultHeader', 'bodyUrl', 'pageUrl', ...answered],
      status: 200,
    },
  ],
  'clock.read': [{ path: `${planted}/clock`, status: 200 }],
  'clock.set': [{ path: `${planted}/clock`, body: { freeze: true }, status: 200 }],
  'faults.list': [{ path: `${planted}/faults`, tells: armed, status: 200 }],
  'faults.set': [{ path: `${planted}/faults`, body: { faults: [], append: true }, tells: armed, status: 200 }],
  play: [{ path: '/sandboxes/made/play', body: { scenario: 'wrong-password' }, status: 200 }],
  'journal.read': [{ path: `${planted}/journal`, status: 200 }],
  'journal.verify': [
    { path: `${planted}/journal/verify`, body: { operation: 'ppf.push' }, status: 200 },
    { path: `${planted}/journal/verify`, body: { operation: 'ppf.push', times: { exactly: 99 } }, status: 417 },
    { path: `${planted}/journal/verify`, body: { operation: 'ppf.push', query: { os_password: 'x' } }, status: 417 },
  ],
  'journal.explain': Array.from({ length: 14 }, (_, i) => ({
    path: `${planted}/explain`,
    body: { entry: i + 1 },
    status: 200,
  })),
  'record.read': [{ path: `${planted}/recording`, status: 200 }],
  'events.read': [], // a stream: it is read separately, below
  'provider-states.list': [{ path: '/provider-states', status: 200 }],
  'provider-states.change': [
    {
      path: '/provider-states',
      headers: { 'X-Fake-Sandbox': 'states' },
      body: {
        state: 'user exists',
        params: { name: 'dora', password: secrets.statePassword, token: secrets.stateToken },
      },
      tells: ['statePassword', 'stateToken'],
      status: 200,
    },
    {
      path: `/provider-states?state=user+exists&name=${'x'.repeat(8)}&password=${encodeURIComponent(secrets.statePassword)}&admin=perhaps`,
      headers: { 'X-Fake-Sandbox': 'states' },
      status: 400,
    },
    {
      path: '/provider-states',
      headers: { 'X-Fake-Sandbox': 'states' },
      body: { state: 'user exists', params: { name: 'dora', admin: `http://bob:${secrets.stateUrl}@host` } },
      tells: ['stateUrl'],
      status: 400,
    },
    {
      path: '/provider-states',
      headers: { 'X-Fake-Sandbox': 'states' },
      body: { state: 'user exists', params: { name: 'dora', password: [secrets.misplaced] } },
      status: 400,
    },
  ],
  'metrics.read': [{ path: '/metrics', status: 200 }],
  'coverage.read': [{ path: '/coverage', status: 200 }],
  'faults.release': [{ path: `${planted}/faults/release`, body: { hold: 'none' }, status: 404 }],
  'faults.clear': [{ path: `${planted}/faults`, status: 200 }],
  'stubs.list': [{ path: `${planted}/stubs`, status: 200 }],
  'stubs.set': [{ path: `${planted}/stubs`, body: { stubs: [], append: true }, status: 200 }],
  'stubs.clear': [{ path: `${planted}/stubs`, status: 200 }],
  'sandboxes.rewind': [{ path: `${planted}/rewind`, body: { to: 1 }, status: 200 }],
  'sandboxes.fork': [{ path: `${planted}/fork`, body: { name: 'forked' }, status: 201 }],
  'journal.har': [{ path: `${planted}/journal.har`, status: 200 }],
  'journal.clear': [{ path: `${planted}/journal`, status: 204 }],
  'sandboxes.reset': [{ path: `${planted}/reset`, body: {}, status: 204 }],
  'sandboxes.drop': [{ path: '/sandboxes/forked', status: 204 }],
};

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

/** Requests with secrets in every possible place. */
export const asking: readonly Asked[] = [
  { method: 'POST', path: push, headers: { Authorization: basic('dora', secrets.worldPassword), ...cookie }, body },
  { method: 'POST', path: push, headers: { Authorization: `Bearer ${secrets.worldToken}` }, body },
  { method: 'POST', path: push, headers: { Authorization: basic('dora', secrets.wrongPassword) }, body },
  { method: 'POST', path: push, headers: { Authorization: `Bearer ${secrets.wrongToken}` }, body },
  { method: 'POST', path: push, headers: { Authorization: `Negotiate ${secrets.unknownScheme}` }, body },
  {
    method: 'POST',
    path: `${push}?${query}`,
    headers: { Authorization: basic('admin', 'admin'), 'X-Fake-Token': secrets.controlToken },
    body,
  },
  {
    method: 'POST',
    path: `${push}?os_password=${encodeURIComponent(secrets.undecodable)}%ff`,
    headers: { Authorization: basic('admin', 'admin') },
    body,
  },
  { method: 'GET', path: `/rest/nowhere?${query}`, headers: { Authorization: basic('dora', secrets.worldPassword) } },
  { method: 'POST', path: '/rest/cwx-ppf/latest/pull', headers: { Authorization: basic('admin', 'admin') }, body },
  { method: 'POST', path: `${push}?${further}`, headers: { Authorization: basic('admin', 'admin') }, body },
  { method: 'GET', path: `/rest/a;jsessionid=${secrets.pathSession}/x` },
  {
    method: 'POST',
    path: '/rest/cwxapiextension/latest/spaces/add-sidebar-link',
    headers: { Authorization: basic('admin', 'admin') },
    body: { spaceKey: 'ds', label: 'Link', url: `https://bob:${secrets.bodyUrl}@host/`, password: secrets.bodyField },
  },
  {
    method: 'POST',
    path: push,
    headers: { Authorization: basic('admin', 'admin') },
    body: `password=${secrets.formField}&next=https://bob:${secrets.textUrl}@host/`,
  },
  {
    method: 'POST',
    path: '/rest/cwxapiextension/latest/spaces/replaceInPage?spaceKey=ds&pageTitle=Welcome',
    headers: { Authorization: basic('admin', 'admin') },
    body: [{ oldText: `https://bob:${secrets.pageUrl}@host/`, newText: 'https://host/' }],
  },
];

// Random requests: most of them right, some nearly, some not at all. Every operation, every kind of credentials, every kind of body.
import fc from 'fast-check';
import type { ModelRequest } from './operations/given.js';
import { documentedRows } from './operations/model-operations.js';
import { gaps } from './readings.js';

const seldom = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

export const users = seldom(
  fc.constantFrom('alice', 'carol', 'demouser1', 'admin'),
  fc.constantFrom('bob', 'Bob', 'Alice', '__proto__', ''),
  5,
);
export const groups = seldom(
  fc.constantFrom('customers', 'team-members', 'jira-core-users'),
  fc.constantFrom('nobodies', 'Nobodies', 'Customers', '__proto__', ' '),
  5,
);
const filters = seldom(fc.constantFrom(10500, 10600), fc.constantFrom(1, -1, 11000), 5);
const dashboards = seldom(fc.constantFrom(11000, 11100), fc.constantFrom(1, 10500), 5);
const spaces = seldom(fc.constantFrom('ds', 'tmpl', 'NEW'), fc.constantFrom('DS', 'no-key', '', '__proto__'), 4);
const texts = fc.constantFrom('NAME', 'Home', 'Template', 'Welcome', 'e', 'wiki', '$&', 'ü', ' ', 'p>', '<', 'amp');
const junk = fc.constantFrom<unknown>(null, 5, 1.5, 'x', [1], {}, true, [null], ['a', 'a']);

const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 });
const many = fc.constant(Array<string>(1001).fill('alice')); // more than some readings accept
const flag = seldom(fc.constantFrom('true', 'false', 'TRUE'), fc.constantFrom('', 'perhaps'), 12);
const spaceName = fc.constantFrom('New', 'Template Space', 'template space', 'TEMPLATE Space', '', 'x'.repeat(256));
/** Values for the fields and parameters of these names; others get any texts. */
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  group: groups,
  groups: few(groups),
  users: seldom(few(users), many, 80),
  filters: few(filters),
  dashboards: few(dashboards),
  spaceKey: spaces,
  label: fc.constantFrom('Home', 'Help'),
  pageTitle: fc.oneof(fc.constantFrom('Welcome', 'Home', 'Template Home'), texts),
  oldText: seldom(texts, fc.constant('')),
  newText: fc.oneof(texts, fc.constant('')),
  spaceName,
  sourceSpaceKey: spaces,
  targetSpaceKey: seldom(fc.constantFrom('NEW', 'NEWER', 'X1'), spaces, 2),
  targetSpaceTitle: spaceName,
  targetSpaceAdmin: fc.oneof(fc.constant(''), users),
  removeAdminPermissions: flag,
  keepPagesMetadata: flag,
};
const record = (fields: unknown, constraints: { requiredKeys?: never[] } = {}): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.keys(fields ?? {}).map(name => [name, values[name] ?? texts])), constraints);

const renaming = fc.record({
  oldText: fc.constant('Welcome'),
  newText: fc.constantFrom('Home', 'HOME', '', 'x'.repeat(256)),
});
const swapping = ['Hello', 'wiki'].map((oldText, i, both) => ({ oldText, newText: both[1 - i] }));
/** An object with a field too many, too few, or of another type. */
const invalid = (fields: fc.Arbitrary<object>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: fields },
    { weight: 1, arbitrary: fields.map(value => ({ ...value, odd: 1 })) },
    {
      weight: 2,
      arbitrary: fc.tuple(fields, fc.nat(3)).map(([value, at]) => {
        const entries = Object.entries(value);
        return Object.fromEntries(entries.filter((_, i) => i !== at % Math.max(1, entries.length)));
      }),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fields, fc.nat(3), junk).map(([value, at, instead]) => {
        const entries = Object.entries(value);
        return Object.fromEntries(entries.map(([name, one], i) => [name, i === at % entries.length ? instead : one]));
      }),
    },
    { weight: 1, arbitrary: junk },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );

/** A query as it is sent: now and then one parameter is missing, repeated, or not text. */
const search = (parameters: fc.Arbitrary<object>): fc.Arbitrary<string> =>
  fc.tuple(parameters, fc.nat(40)).map(([values, odd]) => {
    const pairs = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    if (odd < pairs.length) pairs.splice(odd, 1);
    const more: Record<number, string> = {
      10: 'odd=1',
      11: `${pairs[0]}x`,
      12: 'z=%ff',
      13: 'expand=a.b,c',
      14: 'a+b=',
    };
    return `?${[...pairs, ...(more[odd] === undefined ? [] : [more[odd]])].join('&')}`;
  });
const noSearch = seldom<string>(fc.constant(''), fc.constantFrom('?expand=body.view', '?x=%zz', '?expand=,', '?'), 15);

const wiki = '/rest/cwxapiextension/latest';
const tracker = '/rest/cwx-ppf/latest';
const pages = seldom(
  fc.constantFrom('65601', '65601', '65601', '65701', '65702'),
  fc.constantFrom('1', 'a%2Fb', '%C3%BC', '65601%20'),
  5,
);

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  /** `undefined`: no body. */
  readonly value: unknown;
}
const none = fc.constant(undefined);

/** Requests for an operation. All fields are optional in push and pull, and required elsewhere. */
function asking([id, { method, path, fields }]: (typeof documentedRows)[number]): fc.Arbitrary<Asked> {
  const isPushPull = id.startsWith('ppf.');
  const { query, body } = fields;
  const element = Array.isArray(body) ? record(body[0]) : undefined;
  const sent = element
    ? fc.oneof({ weight: 9, arbitrary: fc.array(invalid(element), { maxLength: 3 }) }, junk, element)
    : invalid(record(body, isPushPull ? { requiredKeys: [] } : {}));
  return fc.record({
    method: path.includes('{') ? seldom(fc.constant(method), fc.constant('POST')) : fc.constant(method),
    path: pages.map(page => `${isPushPull ? tracker : wiki}${path.replace('{pageId}', page)}`),
    search: query === undefined ? noSearch : search(record(query)),
    value: body === undefined ? seldom<unknown>(none, junk) : sent,
  });
}

const asked: fc.Arbitrary<Asked> = fc.oneof(
  ...documentedRows.map(asking),
  ...['PUT', 'DELETE'].map(method =>
    fc.record({
      method: fc.constant(method),
      path: pages.map(page => `${wiki}/permissions/all/${page}`),
      search: noSearch,
      value: invalid(
        fc.oneof(
          fc.record({ group: few(groups), users: few(users) }),
          fc.record({ group: few(groups), groups: few(groups), users: few(users) }),
        ),
      ),
    }),
  ),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant(`${wiki}/spaces/replaceInPage`),
    search: fc.constantFrom('Welcome', 'Home').map(page => `?spaceKey=ds&pageTitle=${page}`),
    value: fc.oneof(fc.tuple(renaming), fc.constant(swapping), few(record({ oldText: 'text', newText: 'text' }))),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc
      .constantFrom('push', 'pull')
      .chain(verb => fc.constantFrom(`${tracker}/${verb}`, `/jira${tracker}/${verb}`)),
    search: noSearch,
    value: fc.record({ users: few(users), filters: few(filters), dashboards: few(dashboards) }),
  }),
);

type Credentials = ModelRequest['credentials'];
const admin: Credentials = { kind: 'basic', user: 'admin', password: 'admin' };
const credentials = fc.oneof(
  { weight: 9, arbitrary: fc.constant(admin) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Credentials>(
      { kind: 'none' },
      { kind: 'bearer', token: 'admin-token' },
      { kind: 'basic', user: 'alice', password: 'any' },
      { kind: 'basic', user: 'carol', password: 'carol' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Credentials>(
      { kind: 'basic', user: 'carol', password: 'wrong' },
      { kind: 'basic', user: 'admin', password: '' },
      { kind: 'basic', user: 'nobody', password: '' },
      { kind: 'bearer', token: 'bobs' },
      { kind: 'unreadable', problem: '', like: '' },
    ),
  },
);

const gapNames = Object.keys(gaps).filter(gap => gap !== 'context-path');
/** One reading of one gap, or an unknown one. */
export const reading = fc
  .constantFrom(...gapNames)
  .chain(gap => fc.constantFrom(...(gaps[gap] ?? [])).map(name => ({ [gap]: name })));
const readings = fc.oneof(
  { weight: 12, arbitrary: none },
  {
    weight: 3,
    arbitrary: reading.map(chosen =>
      Object.entries(chosen)
        .map(pair => pair.join('='))
        .join(),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('no-gap=1', 'no-change=perhaps', 'wiki-auth=admin, unknown-user=skip', 'x', ''),
  },
);

const lost = fc.constantFrom(
  '/rest/cwx-ppf/latest/Push',
  `${wiki}/groups`,
  '/nowhere',
  '/favicon.ico',
  `${wiki}/permissions/edit/%ff`,
  `${wiki}/groups/add-users/`,
  '/rest/cwx-ppf/1.0/push',
  '/rest/cwxapiextension/2/groups/set-users',
);
const prefixes = fc.constantFrom(
  '/rest/api/cwxapiextension/latest',
  '/cwxapiextension/latest',
  `/wiki${wiki}`,
  `/a/b${wiki}`,
);
const bodies = fc.constantFrom<ModelRequest['body']>(
  { kind: 'not-json', text: '{', problem: '' },
  { kind: 'not-utf8' },
);

/** Requests of the admin, as any client sends them. */
export const plainRequests: fc.Arbitrary<ModelRequest> = asked
  .filter(({ method, path }) => !/^POST .*permissions|^PUT .*all/.test(`${method} ${path}`)) // refused before the body is read
  .map(({ method, path, search: query, value }) => {
    const body: ModelRequest['body'] =
      value === undefined ? { kind: 'absent' } : { kind: 'json', value, text: JSON.stringify(value) };
    return { method, url: path + query, credentials: admin, contentType: 'application/json', body };
  });

/** A request without the part that names its sandbox. */
export const requests: fc.Arbitrary<ModelRequest> = fc
  .record({
    asked,
    credentials,
    readings,
    path: fc.oneof({ weight: 30, arbitrary: none }, { weight: 2, arbitrary: lost }),
    prefix: fc.oneof({ weight: 12, arbitrary: none }, { weight: 1, arbitrary: prefixes }),
    method: fc.oneof(
      { weight: 30, arbitrary: none },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'OPTIONS', 'PUT', 'PATCH') },
    ),
    contentType: seldom(
      fc.constant('application/json'),
      fc.constantFrom('text/plain', 'application/vnd.x+json; charset=utf-8', 'application/x-www-form-urlencoded'),
      12,
    ),
    odd: fc.oneof({ weight: 30, arbitrary: none }, { weight: 1, arbitrary: bodies }),
  })
  .map(
    ({
      asked: { method: own, path: right, search: query, value },
      path,
      prefix,
      method = own,
      odd,
      contentType,
      ...rest
    }) => {
      const url = `${(path ?? right).replace(wiki, prefix ?? wiki)}${query}`;
      const text = JSON.stringify(value);
      const sent: ModelRequest['body'] =
        odd ?? (value === undefined ? { kind: 'absent' } : { kind: 'json', value, text });
      const body: ModelRequest['body'] = method === 'GET' || method === 'OPTIONS' ? { kind: 'absent' } : sent;
      return { method, url, body, contentType, ...rest };
    },
  );

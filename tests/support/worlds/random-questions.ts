// Random requests, right and wrong, on a world in which most gaps can decide, under random readings.
import { parse } from 'yaml';
import { evolve } from '../../../server/domain/facts.js';
import { worldFrom } from '../../../server/domain/form/form.js';
import type { World } from '../../../server/domain/world/world.js';
import { type Body, type Credentials, parseQuery, type Request } from '../../../server/engine/request/request.js';
import { findPlace } from '../../../server/http/incoming/find-endpoint.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { type GapId, gapIds, layReadings, type Readings, readingNames } from '../../../server/operations/gaps/gaps.js';
import { profileReadings } from '../../../server/operations/gaps/profiles.js';
import type { Operation } from '../../../server/operations/operation.js';
import type { Dice } from '../../fuzz/cases/dice.js';

const form = (licence: string) => `
users:
  admin: { password: admin, admin: true, token: admin-token }
  alice: {}
  carol: { password: carol }
  demouser1: {}
  zoe: { admin: true }
groups: { team: [demouser1], alone: [zoe], customers: [] }
spaces:
  ds: { name: Demo, admins: [admin], sidebar: [{ label: Docs, url: u }, { label: Docs, url: v }] }
  tmpl: { name: Template, admins: [carol] }
  empty: { name: Empty, admins: [] }
pages:
  "1": { space: ds, title: Welcome, body: "<p a='>wiki'>Hello, w&iuml;ki &amp; wiki.</p>", author: alice, edit: { users: [alice], groups: [team] }, view: { users: [], groups: [team] } }
  "2": { space: ds, title: Twin, body: wiki wiki, author: carol }
  "3": { space: ds, title: Twin, body: wiki, author: carol }
  "4": { space: tmpl, title: Home, body: "<p>NAME</p>", author: carol, view: { users: [carol], groups: [] } }
filters:
  10500: { name: A, owner: admin, sharedWith: everyone }
  10600: { name: B, owner: carol, sharedWith: { groups: [team] } }
dashboards:
  11000: { name: C, owner: admin, sharedWith: everyone }
  11100: { name: D, owner: carol, sharedWith: nobody }
favourites:
  carol: { filters: [10600], dashboards: [] }
  demouser1: { filters: [10500], dashboards: [11000] }
licence: { ppf: ${licence} }
`;
/** Of two of the users, a push added a favourite. */
const pushed = { type: 'favourite-added', item: 'dashboards', ids: [11000], users: ['alice', 'carol'] } as const;
const [licensed, unlicensed] = ['valid', 'expired'].map(licence => evolve(worldFrom(parse(form(licence))), pushed)) as [
  World,
  World,
];

type Some<T = string> = readonly [T, ...T[]];
const users: Some<unknown> = ['admin', 'alice', 'carol', 'demouser1', 'zoe', 'Alice', 'bob', 'BOB', '', 7, null];
const groups: Some<unknown> = ['team', 'alone', 'customers', 'Team', 'none', 'NONE', 'new', 2];
const filters: Some<unknown> = [10500, 10600, 1, 10500.5, '10500'];
const dashboards: Some<unknown> = [11000, 11100, 2];
const spaceKeys: Some = ['ds', 'tmpl', 'empty', 'DS', 'none', 'a-b', 'NEW', ''];
const titles: Some = ['Welcome', 'Twin', 'Home', 'welcome', 'None', 'Demo', 'demo', 'Template', ''];
const texts: Some = ['wiki', 'ki', 'w', 'Welcome', 'Twin', 'Home', 'NAME', 'none', '', 'wïki', '&', '>', 'W'];
const urls: Some = ['https://example.com/', '/docs', '', 'javascript:alert(1)', 'no url'];
const labels: Some = ['Docs', 'docs', 'New', ''];
const booleans: Some = ['true', 'false', 'False', 'yes', ''];
const callers: Some<Credentials> = [
  { kind: 'none' },
  { kind: 'basic', user: 'admin', password: 'admin' },
  { kind: 'basic', user: 'admin', password: 'admin' },
  { kind: 'basic', user: 'zoe', password: '' },
  { kind: 'basic', user: 'carol', password: 'carol' },
  { kind: 'basic', user: 'carol', password: 'wrong' },
  { kind: 'basic', user: 'demouser1', password: '' },
  { kind: 'bearer', token: 'admin-token' },
  { kind: 'bearer', token: 'none' },
];
const prefixes: Some = ['/rest/cwxapiextension', '/rest/api/cwxapiextension', '/cwxapiextension'];
const contexts: Some = ['/wiki', '/jira', '/a/b'];
const methods: Some = ['POST', 'PUT', 'DELETE', 'GET', 'OPTIONS'];
const unread: Some<Body> = [
  { kind: 'absent' },
  { kind: 'empty' },
  { kind: 'not-json', text: '{', problem: 'it ends too early' },
  { kind: 'not-utf8' },
];

/** All operations, and those again that most gaps are about. */
const asked = [
  ...operations,
  ...operations.filter(({ id }) => /all-remove|replace/.test(id)),
  ...operations.filter(({ id }) => /replace|copy|push/.test(id)),
] as readonly Operation[] as Some<Operation>; // there are some

export interface RandomQuestion {
  readonly request: Request;
  readonly on: World;
  readonly readings: Readings;
}

/** Mostly valid: each part is wrong at times, and at times several are. */
export function randomQuestion(dice: Dice): RandomQuestion {
  const operation = dice.pick(asked);
  const path = pathOf(operation, dice);
  const query = queryOf(operation, dice);
  return {
    request: {
      ...findPlace(path),
      method: dice.in100(8) ? dice.pick(methods) : operation.method,
      url: query === '' ? path : `${path}?${query}`,
      query: parseQuery(query),
      credentials: dice.pick(callers),
      contentType: dice.in100(10) ? dice.pick(['text/plain', '']) : 'application/json',
      body: dice.in100(5) ? dice.pick(unread) : bodyOf(operation, dice),
      ...(dice.in100(4) && { isSuspect: true as const }),
    },
    on: dice.in100(15) ? unlicensed : licensed,
    readings: readingsOf(dice),
  };
}

function pathOf({ family, path }: Operation, dice: Dice): string {
  const prefix = family === 'ppf' ? '/rest/cwx-ppf' : dice.in100(10) ? dice.pick(prefixes) : prefixes[0];
  const rest = path.replace('{pageId}', dice.pick(['1', '1', '2', '4', '9', 'x']));
  const latest = dice.in100(2) ? '1.0' : 'latest';
  return `${dice.in100(8) ? dice.pick(contexts) : ''}${prefix}/${latest}${rest}${dice.in100(2) ? '/' : ''}`;
}

function queryOf({ query = {} }: Operation, dice: Dice): string {
  const pairs = new URLSearchParams();
  for (const [name, json] of Object.entries(query)) {
    const times = dice.in100(8) ? dice.pick([0, 0, 2]) : 1;
    for (let i = 0; i < times; i += 1) pairs.append(name, parameterOf(name, json.type, dice));
  }
  if (dice.in100(6)) pairs.append(dice.pick(['expand', 'other', 'SpaceKey']), dice.pick(['a', 'body.view', '']));
  return pairs.toString();
}

function parameterOf(name: string, type: unknown, dice: Dice): string {
  if (type === 'boolean') return dice.in100(80) ? dice.pick(['true', 'false']) : dice.pick(booleans);
  if (name === 'targetSpaceKey') return dice.in100(60) ? 'NEW' : dice.pick(spaceKeys);
  if (name.endsWith('Key')) return dice.in100(70) ? 'ds' : dice.pick(spaceKeys);
  if (name === 'pageTitle') return dice.in100(70) ? dice.pick(['Welcome', 'Twin']) : dice.pick(titles);
  if (name === 'targetSpaceAdmin') return dice.in100(40) ? '' : String(dice.pick(users));
  return dice.pick(titles);
}

function bodyOf(operation: Operation, dice: Dice): Body {
  if (operation.body === undefined) return { kind: 'absent' };
  const json = operation.body.schema;
  const value =
    json.type === 'array'
      ? Array.from(
          {
            length: dice.weighed([
              [5, 1],
              [3, 2],
              [1, 3],
              [1, 0],
            ]),
          },
          () => objectOf(['oldText', 'newText'], dice),
        )
      : objectOf(Object.keys(json.properties as object), dice);
  return { kind: 'json', value, text: JSON.stringify(value) };
}

function objectOf(names: readonly string[], dice: Dice): unknown {
  if (dice.in100(1)) return dice.pick([null, [], 'text', 7]);
  const isDue = (name: string) => !['users', 'groups', 'filters', 'dashboards'].includes(name) || dice.in100(75);
  const kept = names.filter(name => isDue(name) && !dice.in100(4));
  if (dice.in100(8)) kept.push(dice.pick(['group', 'group', 'other', 'Users']));
  return Object.fromEntries(
    kept.map(name => [name, dice.in100(3) ? dice.pick([null, 1, 'alice', '10500', {}]) : fieldOf(name, dice)]),
  );
}

function fieldOf(name: string, dice: Dice): unknown {
  const lists: Readonly<Record<string, Some<unknown>>> = { users, groups, filters, dashboards };
  const list = lists[name];
  if (list !== undefined && dice.in100(1)) return Array.from({ length: 1001 }, () => list[0]);
  if (list !== undefined) return dice.in100(90) ? wellTyped(dice.some(list, 3), list[0]) : dice.some(list, 3);
  const texty: Readonly<Record<string, Some>> = { spaceKey: spaceKeys, label: labels, url: urls };
  if (name === 'group') return dice.in100(80) ? String(dice.pick(groups)) : dice.some(groups, 2);
  return dice.pick(texty[name] ?? texts);
}

function wellTyped(values: readonly unknown[], like: unknown): unknown {
  return values.filter(value => typeof value === typeof like && (typeof value !== 'number' || Number.isInteger(value)));
}

function readingsOf(dice: Dice): Readings {
  const chosen = dice.some(gapIds as [GapId, ...GapId[]], 6); // there are some
  const pairs = chosen.map(gap => [gap, dice.pick(readingNames(gap) as [string, ...string[]])]);
  return layReadings(
    profileReadings(dice.pick(['lenient', 'lenient', 'strict', 'realistic'])),
    Object.fromEntries(pairs),
  );
}

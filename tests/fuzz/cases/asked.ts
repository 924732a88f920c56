// Valid and invalid requests of the 14 operations: their meaning, not their bytes. The model answers each.
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { ModelRequest } from '../../model/effects.js';
import { gaps } from '../../model/readings.js';
import type { Dice } from './dice.js';
import { oddBody } from './odd-bodies.js';

/** The largest body that the server under test reads, in bytes. */
export const MAX_BODY = 65_536;

export interface Asked {
  /** Its url without the sandbox. */
  readonly request: ModelRequest;
  /** The bytes of the body before any coding; absent: there is none. */
  readonly bytes?: Buffer;
}

type Names = readonly [string, ...string[]];
const known: Names = ['admin', 'alice', 'carol', 'demouser1', 'demouser2'];
const strange: Names = [
  'bob',
  'Alice',
  '__proto__',
  'constructor',
  'toString',
  'Ünal 漢',
  '',
  'anonymous',
  '~',
  'a\u0000b',
];
const knownGroups: Names = ['team-members', 'jira-core-users', 'customers'];
const strangeGroups: Names = ['Customers', '__proto__', 'hasOwnProperty', '', '\ud83d\ude00'];
const ids: readonly [number, ...number[]] = [10500, 10600, 11000, 11100, 1, -1, 0];
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is sent so
const labels: Names = ['Docs', 'Docs ', 'ü', '', '__proto__', '<script>', '${run}'];
const oldTexts: Names = [
  'Welcome',
  'Hello',
  'wiki',
  'Project',
  'NAME',
  'Template',
  'starts here',
  '<p>',
  'o',
  '$&',
  'x',
];
const pages: Names = ['65601', '65701', '65702', '1', '__proto__', 'a/b', '%', '0x10061'];
const operations: ReadonlyArray<
  readonly [weight: number, choice: readonly [OperationId, method: string, path: string]]
> = [
  [4, ['groups.add-users', 'POST', 'w/groups/add-users']],
  [4, ['groups.remove-users', 'POST', 'w/groups/remove-users']],
  [3, ['groups.set-users', 'POST', 'w/groups/set-users']],
  [3, ['permissions.edit-add', 'PUT', 'w/permissions/edit/']],
  [2, ['permissions.edit-remove', 'DELETE', 'w/permissions/edit/']],
  [3, ['permissions.view-add', 'PUT', 'w/permissions/view/']],
  [2, ['permissions.view-remove', 'DELETE', 'w/permissions/view/']],
  [2, ['permissions.all-remove', 'DELETE', 'w/permissions/all/']],
  [3, ['spaces.add-sidebar-link', 'POST', 'w/spaces/add-sidebar-link']],
  [1, ['spaces.copy', 'POST', 'w/spaces/copySpace']],
  [3, ['spaces.is-unique', 'POST', 'w/spaces/isUnique']],
  [3, ['spaces.replace-in-page', 'POST', 'w/spaces/replaceInPage']],
  [5, ['ppf.push', 'POST', 'p/push']],
  [4, ['ppf.pull', 'POST', 'p/pull']],
];

/** `isPlain`: an ordinary request; otherwise the body and anything else may be unusual. */
export function askedBy(dice: Dice, isPlain = false): Asked {
  const [operation, own, place] = dice.weighed(operations);
  const odd = !isPlain && dice.in100(12);
  const method = odd && dice.in100(40) ? dice.pick(['POST', 'PUT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']) : own;
  const url = prefix(dice, place, isPlain) + (place.endsWith('/') ? encodeURIComponent(pageIn(dice)) : '');
  const search = queryOf(operation, dice, odd);
  const body = !isPlain && dice.in100(15) ? oddBody(dice, MAX_BODY) : usualBody(operation, dice);
  const readings = isPlain || !dice.in100(8) ? undefined : readingsBy(dice);
  return {
    request: {
      method,
      url: search === '' ? url : `${url}?${search}`,
      credentials: credentialsBy(dice, isPlain),
      contentType: body.bytes === undefined ? '' : contentTypeBy(dice, isPlain),
      body: body.body,
      ...(readings !== undefined && { readings }),
    },
    ...(body.bytes !== undefined && { bytes: body.bytes }),
  };
}

function prefix(dice: Dice, place: string, isPlain: boolean): string {
  const [family = '', below = ''] = place.split(/\/(.*)/s);
  const context = !isPlain && dice.in100(5) ? dice.pick(['/wiki', '/a/b', '/__proto__']) : '';
  if (family === 'p') return `${context}/rest/cwx-ppf/latest/${below}`;
  const root = dice.weighed([
    [8, '/rest'],
    [1, '/rest/api'],
    [1, ''],
  ] as const);
  return `${context}${root}/cwxapiextension/latest/${below}`;
}

function pageIn(dice: Dice): string {
  return dice.in100(85) ? dice.pick(['65601', '65701', '65601', '65702']) : dice.pick(pages);
}

/** Names, most of them known. */
function names(dice: Dice, usual: Names, odd: Names, most: number): string[] {
  return dice.some(usual, most).map(name => (dice.in100(6) ? dice.pick(odd) : name));
}

function usualBody(operation: OperationId, dice: Dice): Pick<Asked, 'bytes'> & { body: ModelRequest['body'] } {
  if (operation === 'spaces.copy' || operation === 'spaces.is-unique') return { body: { kind: 'absent' } };
  const value = valueFor(operation, dice);
  const text = dice.in100(80) ? JSON.stringify(value) : JSON.stringify(value, null, dice.pick([1, 2, '\t', '\r\n']));
  return { body: { kind: 'json', value, text }, bytes: Buffer.from(text) };
}

function valueFor(operation: OperationId, dice: Dice): unknown {
  const users = names(dice, known, strange, 3);
  if (operation.startsWith('groups.')) {
    const [group = 'customers'] = names(dice, knownGroups, strangeGroups, 1);
    return sometimesWrong({ group, users }, dice);
  }
  const groups = names(dice, knownGroups, strangeGroups, 2);
  if (operation.startsWith('permissions.'))
    return sometimesWrong(
      operation.endsWith('all-remove') && dice.in100(20) ? { group: groups, users } : { groups, users },
      dice,
    );
  if (operation.startsWith('ppf.')) {
    const [filters, dashboards] = [dice.some(ids, 2), dice.some(ids, 2)];
    const all = { users, groups, filters, dashboards };
    return sometimesWrong(Object.fromEntries(Object.entries(all).filter(() => dice.in100(75))), dice);
  }
  if (operation === 'spaces.add-sidebar-link')
    return sometimesWrong(
      { spaceKey: spaceIn(dice), label: dice.pick(labels), url: `https://x/${dice.name(3)}` },
      dice,
    );
  return Array.from({ length: dice.under(4) }, () => {
    const oldText = dice.pick(oldTexts);
    return sometimesWrong({ oldText, newText: dice.name(dice.under(oldText.length + 1)) }, dice); // never longer: pages would grow without end
  });
}

function sometimesWrong(fields: object, dice: Dice): unknown {
  if (!dice.in100(8)) return fields;
  const entries: Array<[string, unknown]> = Object.entries(fields);
  const wrong = dice.pick<unknown>([null, 1, 1e300, 'text', '', true, {}, [], [1], ['a', null], { length: 1 }, [[]]]);
  const at = dice.under(entries.length + 1);
  const [name] = entries[at] ?? [dice.pick(['odd', '__proto__', 'constructor', '$ref', 'toJSON'])];
  if (dice.in100(30)) return Object.fromEntries(entries.filter(([other]) => other !== name));
  return Object.fromEntries([...entries.filter(([other]) => other !== name), [name, wrong]]);
}

function spaceIn(dice: Dice): string {
  return dice.in100(85) ? dice.pick(['ds', 'tmpl', 'NEW1']) : dice.pick(['DS', '__proto__', '', 'NEW2', 'ü']);
}

function queryOf(operation: OperationId, dice: Dice, odd: boolean): string {
  const pairs: Array<readonly [string, string]> = [];
  if (operation === 'spaces.copy') {
    pairs.push(
      ['sourceSpaceKey', spaceIn(dice)],
      ['targetSpaceKey', dice.pick(['NEW1', 'NEW2', 'NEW3', 'ds', 'no-key', '', 'É'])],
    );
    pairs.push(['targetSpaceTitle', dice.pick(labels)], ['targetSpaceAdmin', names(dice, known, strange, 1)[0] ?? '']);
    pairs.push(
      ['removeAdminPermissions', dice.pick(['true', 'false', 'TRUE'])],
      ['keepPagesMetadata', dice.pick(['true', 'False'])],
    );
  }
  if (operation === 'spaces.is-unique')
    pairs.push(['spaceKey', spaceIn(dice)], ['spaceName', dice.pick(['Template Space', 'x', ''])]);
  if (operation === 'spaces.replace-in-page') {
    const isWelcome = dice.in100(50);
    pairs.push(['spaceKey', isWelcome ? 'ds' : 'tmpl'], ['pageTitle', isWelcome ? 'Welcome' : 'Template Home']);
  }
  if (odd && dice.in100(40)) pairs.splice(dice.under(pairs.length + 1), 1);
  if (odd && dice.in100(40))
    pairs.push([dice.pick(['expand', '__proto__', 'x', 'spaceKey']), dice.pick(['a,b.c', 'ds', '', 'true'])]);
  const written = (text: string) =>
    dice.in100(20) ? encodeURIComponent(text).replaceAll('%20', '+') : encodeURIComponent(text);
  const texts = pairs.map(([name, value]) => `${written(name)}=${written(value)}`);
  if (odd && dice.in100(10)) texts.push(dice.pick(['x=%zz', '%ff=1', '&&', '=', 'x', '%00=%00']));
  return texts.join('&');
}

function credentialsBy(dice: Dice, isPlain: boolean): ModelRequest['credentials'] {
  if (isPlain || dice.in100(75))
    return dice.in100(70)
      ? { kind: 'basic', user: 'admin', password: 'admin' }
      : { kind: 'bearer', token: 'admin-token' };
  return dice.pick<ModelRequest['credentials']>([
    { kind: 'none' },
    { kind: 'basic', user: 'alice', password: dice.word(0, 5) },
    { kind: 'basic', user: 'carol', password: 'carol' },
    { kind: 'basic', user: 'carol', password: 'c:arol' },
    { kind: 'basic', user: '__proto__', password: '' },
    { kind: 'basic', user: 'Ünal 漢', password: '\u0000' },
    { kind: 'bearer', token: 'constructor' },
    { kind: 'unreadable', problem: '', like: '' },
  ]);
}

function contentTypeBy(dice: Dice, isPlain: boolean): string {
  if (isPlain || dice.in100(80)) return 'application/json';
  return dice.pick([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'text/plain',
    '',
    'application/x-www-form-urlencoded',
    'application/vnd.x+json',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'multipart/form-data; boundary=x',
    '\u00ff',
  ]);
}

function readingsBy(dice: Dice): string {
  const all = Object.entries(gaps);
  const one = () => {
    const [gap, readings] = all[dice.under(all.length)] ?? ['no-gap', ['no-reading'] as const];
    return `${gap}=${dice.in100(95) ? dice.pick(readings) : 'no-reading'}`;
  };
  return dice.in100(90) ? [one(), ...(dice.in100(30) ? [one()] : [])].join(', ') : dice.pick(['__proto__=x', ',', 'x']);
}

// Names of object properties are ordinary names: every request that can contain one gets the same response as with another name of that
// length, and no JavaScript object has gained a property.
import { expect } from 'chai';
import type { Action } from '../../server/control/actions/action.js';
import { actions } from '../../server/control/actions.js';
import type { HttpRequest } from '../../server/derive/sending/call.js';
import { silentLog } from '../../server/engine/log.js';
import { injecting } from '../../server/library/port/inject.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import { assemble } from '../../server/process/server.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { plainJournal } from '../support/wire/plain-journal.js';
import { basic } from '../support/wire/server.js';
import { validQuestions } from '../support/worlds/valid.js';

/** Playing every rule takes seconds, and no request can put a name into it. */
const slow = ['ledger.read'];
/** They run last, since they remove what the others need. */
const last = ['journal.clear', 'faults.clear', 'sandboxes.reset', 'sandboxes.replace', 'sandboxes.drop'];
const ordered = actions
  .filter(({ id }) => !slow.includes(id))
  .toSorted((a, b) => last.indexOf(a.id) - last.indexOf(b.id));

/** An object with one key, even if JavaScript gives that key a meaning. */
const keyed = (name: string, value: unknown): Readonly<Record<string, unknown>> => Object.fromEntries([[name, value]]);

/** The value with the name instead of each of its texts, one at a time, and as an additional key of each object. */
function varied(value: unknown, name: string): unknown[] {
  if (typeof value === 'string') return [name];
  if (Array.isArray(value))
    return value.flatMap((element, i) => varied(element, name).map(other => value.with(i, other)));
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const inner = entries.flatMap(([key, part]) =>
    varied(part, name).map(other => Object.fromEntries([...entries, [key, other]])),
  );
  return [...inner, Object.fromEntries([...entries, [name, { polluted: true }]])];
}

function request(method: string, path: string, body?: unknown, headers: HttpRequest['headers'] = {}): HttpRequest {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { method, path, headers: { ...type, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

/** To every operation, below the sandbox of that name. */
function operationRequests(name: string): HttpRequest[] {
  const admin = { Authorization: basic('admin', 'admin') };
  return operations.flatMap(({ id, method, path, family }) => {
    const { json, query = {}, params = {} } = validQuestions[id as keyof typeof validQuestions];
    const target = (values: object, search: unknown) =>
      `/~${name}${canonicalPrefix(family)}${path.replace(/\{(\w+)\}/g, (_, key: string) => (values as Record<string, string>)[key] ?? '')}?${new URLSearchParams(search as Record<string, string>)}`;
    const own = target(params, query);
    return [
      ...varied(params, name).map(values => request(method, target(values as object, query), json, admin)),
      ...varied(query, name).map(values => request(method, target(params, values), json, admin)),
      ...varied(json, name).map(body => request(method, own, body, admin)),
      request(method, own, json, { Authorization: basic(name, name) }),
      request(method, own, json, { Authorization: `Bearer ${name}` }),
      request(method, own, json, {
        ...admin,
        [name]: name,
        'X-Request-Id': name,
        'X-Fake-Reading': `view-post=${name}`,
      }),
      request(method, own, json, { ...admin, 'X-Fake-Reading': `${name}=${name}` }),
      request(method, `${own}&expand=${name},${name}.${name}`, json, admin),
    ];
  });
}

/** To an action: in its path, its query, its headers and in each field of its body. */
function controlRequests({ method, path, query = {}, body, inSandbox }: Action, name: string): HttpRequest[] {
  const own = `/_fake/v1${path.replace(/\{\w+\}/g, name)}`;
  const values = [name, [name], keyed(name, keyed(name, true))];
  const fields = Object.keys((body?.schema.properties ?? {}) as object);
  const bodies =
    body === undefined
      ? [undefined]
      : [{}, ...values, ...fields.flatMap(key => values.map(value => ({ [key]: value })))];
  return [
    ...Object.keys({ ...query, ...keyed(name, 1) }).map(key =>
      request(method, `${own}?${key}=${name}&${name}=1`, bodies[0]),
    ),
    ...bodies.map(one => request(method, own, one)),
    ...(inSandbox ? [request(method, `/~${name}${own}`, bodies[0])] : []),
    request(method, `${own}/${name}`, bodies[0]),
    request(method, own, bodies[0], { 'X-Fake-Sandbox': name, [name]: name, 'Last-Event-ID': name }),
  ];
}

/** A world with the name wherever it is possible. */
function worldOf(name: string): object {
  const names = { users: [name], groups: [name] };
  return {
    users: keyed(name, { displayName: name, password: name, token: name, admin: true }),
    groups: keyed(name, [name]),
    spaces: keyed(name, { name, admins: [name], sidebar: [{ label: name, url: name }] }),
    pages: { 9: { space: name, title: name, body: name, author: name, updatedBy: name, edit: names, view: names } },
    filters: { 7: { name, owner: name, sharedWith: names } },
    dashboards: { 8: { name, owner: name, sharedWith: names } },
    favourites: keyed(name, { filters: [7], dashboards: [8] }),
  };
}

/** `isThere`: the name is written everywhere in the world before the operations are asked. */
function requestsWith(name: string, isThere: boolean): HttpRequest[] {
  const control = (method: string, path: string, body?: unknown) => request(method, `/_fake/v1/sandboxes${path}`, body);
  const effect = { status: 503, headers: keyed(name, name), body: keyed(name, name) };
  const bodies = [
    keyed(name, name),
    { $contains: keyed(name, { polluted: true }) },
    { users: [{ $match: name }], filters: [10500] },
  ];
  return [
    control('POST', '', { name, clock: '2026-01-05T09:00:00Z' }),
    ...(isThere ? [control('PATCH', `/${name}/world`, worldOf(name)), control('GET', `/${name}/world`)] : []),
    ...operationRequests(name),
    control('POST', `/${name}/snapshots`, { name }),
    control('PUT', `/${name}/faults`, { faults: [{ operation: 'ppf.pull', caller: name, times: 1, effect }] }),
    ...['world', 'diff', 'journal?limit=20', 'snapshots', 'faults'].map(what => control('GET', `/${name}/${what}`)),
    ...bodies.map(body => control('POST', `/${name}/journal/verify`, { caller: name, body, query: keyed(name, name) })),
    ...ordered.flatMap(action => controlRequests(action, name)),
  ];
}

/** The response to each request, with `@` for the name, and without the parts that depend on the time and on the nearest names. */
async function transcript(name: string, isThere: boolean): Promise<string[]> {
  const assembled = await assemble(settingsFrom(undefined, { journal: '40' }), silentLog);
  if (isProblems(assembled)) throw new Error('it does not start');
  const ask = injecting(assembled.app);
  const lines: string[] = [];
  const beginnings = Array.from(name, (_, i) => name.slice(0, i + 1)).reverse();
  const cut = new RegExp(`(?:${beginnings.join('|')})\\.\\.\\.`, 'g');
  const plain = (text: string) =>
    plainJournal(text)
      .replaceAll(name, '@')
      .replace(cut, '@...')
      .replace(/ \(did you mean [^)]*\?\)/g, '')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now')
      .replace(/"idle":[\d.]+/g, '"idle":0')
      .replace(/"mark":"[\da-f]{8}-/g, '"mark":"-')
      .replace(/^cwx_fake_(?:process|nodejs|request_seconds).*\n/gm, '')
      .replace(/(sandbox|snapshot)-[\da-f]{8}/g, '$1-x');
  for (const one of requestsWith(name, isThere)) {
    const { status, text, headers } = await ask(one);
    const asked = plain(`${one.method} ${one.path} ${String(one.body ?? '')}`);
    lines.push(`${asked} -> ${status} ${headers['x-fake-rules'] ?? ''} ${alike(plain(text))}`);
    if (status >= 500 && status !== 501) throw new Error(`${asked}: ${text}`);
  }
  assembled.end();
  return lines;
}

/** A text that does not depend on the order of names. */
function alike(text: string): string {
  return text
    .split(/[\s,{}[\]]+/)
    .toSorted()
    .join(' ');
}

describe('the name of an object property', () => {
  // One that changes an object where it is written, and one that is found where nothing was written.
  for (const [name, isThere] of [
    ['__proto__', true],
    ['constructor', false],
  ] as const)
    it(`${name} is an ordinary name in every request`, async () => {
      const [own, other] = [await transcript(name, isThere), await transcript(name.replace(/[A-Za-z]/g, 'q'), isThere)];
      expect(own.length).to.be.above(300);
      expect(own.filter((line, i) => line !== other[i]).slice(0, 5)).to.deep.equal([]);
      expect(Object.getOwnPropertyNames(Object.prototype)).to.have.lengthOf(12);
      expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
    });
});

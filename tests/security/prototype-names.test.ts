// Names of object properties are ordinary names: every request that can contain one gets the same response as with another name of that
// length, and no JavaScript object has gained a property.
import { expect } from 'chai';
import { actions } from '../../server/control/actions.js';
import type { HttpRequest } from '../../server/derive/sending/call.js';
import { silentLog } from '../../server/engine/log.js';
import { type Ask, injecting } from '../../server/library/port/inject.js';
import { type Assembled, assemble } from '../../server/process/server.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { plainJournal } from '../support/wire/plain-journal.js';
import { controlRequests, keyed, operationRequests } from './named-requests.js';

/** One that changes an object where it is written, and one that is found where nothing was written: each code path has one of both. */
const names = ['__proto__', 'constructor'];

/** Playing every rule takes seconds, and no request can put a name into it. */
const slow = ['ledger.read'];
/** They run last, since they remove what the others need. */
const last = ['journal.clear', 'faults.clear', 'sandboxes.reset', 'sandboxes.replace', 'sandboxes.drop'];

const ordered = actions
  .filter(({ id }) => !slow.includes(id))
  .toSorted((a, b) => last.indexOf(a.id) - last.indexOf(b.id));

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

describe('the name of an object property', () => {
  const running: Assembled[] = [];
  after(() => {
    for (const { end } of running) end();
  });

  async function fresh(): Promise<Ask> {
    const assembled = await assemble(settingsFrom(undefined, { journal: '40' }), silentLog);
    if (isProblems(assembled)) throw new Error('it does not start');
    running.push(assembled);
    return injecting(assembled.app);
  }

  /** The response to each request, with `@` for the name, and without the parts that depend on the time and on the nearest names. */
  async function transcript(name: string): Promise<string[]> {
    const ask = await fresh();
    const lines: string[] = [];
    const cut = new RegExp(
      `(?:${Array.from(name, (_, i) => name.slice(0, i + 1))
        .reverse()
        .join('|')})\\.\\.\\.`,
      'g',
    );
    const plain = (text: string) =>
      plainJournal(text)
        .replaceAll(name, '@')
        .replace(cut, '@...')
        .replace(/ \(did you mean [^)]*\?\)/g, '')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now')
        .replace(/"idle":[\d.]+/g, '"idle":0')
        .replace(/"mark":"[\da-f]{8}-/g, '"mark":"-')
        .replace(/^cwx_fake_(?:process|nodejs|request_duration).*\n/gm, '')
        .replace(/(sandbox|snapshot)-[\da-f]{8}/g, '$1-x');
    const tell = async (request: HttpRequest) => {
      const { status, text, headers } = await ask(request);
      const asked = plain(`${request.method} ${request.path} ${String(request.body ?? '')}`);
      lines.push(`${asked} -> ${status} ${headers['x-fake-rules'] ?? ''} ${alike(plain(text))}`);
      if (status >= 500 && status !== 501)
        throw new Error(`${request.method} ${request.path} ${String(request.body)}: ${text}`);
    };
    const control = (method: string, path: string, body?: unknown) =>
      tell({
        method,
        path: `/_fake/v1${path}`,
        headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    await control('POST', '/sandboxes', { name, clock: '2026-01-05T09:00:00Z' });
    for (const request of operationRequests(name)) await tell(request);
    await control('PATCH', `/sandboxes/${name}/world`, worldOf(name));
    await control('GET', `/sandboxes/${name}/world`);
    for (const request of operationRequests(name)) await tell(request);
    await control('POST', `/sandboxes/${name}/snapshots`, { name });
    await control('PUT', `/sandboxes/${name}/faults`, {
      faults: [
        {
          operation: 'ppf.pull',
          caller: name,
          times: 1,
          effect: { status: 503, headers: keyed(name, name), body: keyed(name, name) },
        },
      ],
    });
    for (const path of ['world', 'diff', 'journal?limit=20', 'snapshots', 'faults'])
      await control('GET', `/sandboxes/${name}/${path}`);
    for (const body of [
      keyed(name, name),
      { $any: 'object' },
      { users: [name], filters: [10500] },
      { $contains: keyed(name, { polluted: true }) },
      { users: [{ $match: name }], filters: [10500] },
    ])
      await control('POST', `/sandboxes/${name}/journal/verify`, { caller: name, body, query: keyed(name, name) });
    for (const endpoint of ordered) for (const request of controlRequests(endpoint, name)) await tell(request);
    return lines;
  }

  for (const name of names) {
    it(`${name} is an ordinary name in every request`, async () => {
      const [own, other] = [await transcript(name), await transcript(name.replace(/[A-Za-z]/g, 'q'))];
      expect(own.length).to.be.above(1000);
      const odd = own.flatMap((line, i) => (line === other[i] ? [] : [parted(line, other[i] ?? '')]));
      expect(odd.slice(0, 5)).to.deep.equal([]);
      expect(Object.getOwnPropertyNames(Object.prototype)).to.have.lengthOf(12);
      expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
    });
  }
});

/** The request, and the place at which two responses differ. */
function parted(line: string, other: string): readonly string[] {
  const at = Array.from(line).findIndex((character, i) => character !== other[i]);
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
  return [line.slice(0, 200), around(line), around(other)];
}

/** A JSON text that does not depend on the order of names. */
function alike(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return text; // not JSON
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(element => sorted(element)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? value.split(/, |\n/).toSorted().join(', ') : value; // a list, or a scenario as YAML
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]) => [key, sorted(part)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

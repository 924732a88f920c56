// Conform on servers as they really are: correct ones that ask for patience or lack something are not blamed, and everything is restored.
import { expect } from 'chai';
import { Set as PSet } from 'immutable';
import { RefusesChanges } from '../../../harness/changes/server-state.js';
import type { Asked, Change } from '../../../harness/conform/faults/server-fault.js';
import type { Patience } from '../../../harness/target/patient-target.js';
import { evolveAll, type Fact } from '../../../server/domain/facts.js';
import { formOf } from '../../../server/domain/form/form.js';
import type { World } from '../../../server/domain/world/world.js';
import { type Target, Unreachable } from '../../../server/scenario/play/target.js';
import {
  before,
  checkingHeader,
  crashing,
  failing,
  isChange,
  limited,
  refusal,
  repeatingPages,
  separate,
  stale,
} from '../../support/other-servers/awkward.js';
import {
  conformed,
  rulesThat,
  scenariosFor,
  serverWith,
  simulatedTime,
} from '../../support/other-servers/conforming.js';
import { elsewhere } from '../../support/other-servers/outside.js';
import { at, fields, idle, isPermissions, isPpf, list, names } from '../faulty-servers/changes.js';

const everything = scenariosFor();
const always = ['spaces.sidebar-link', 'spaces.copy-default-admin', 'spaces.copy-remove-admin', 'ppf.licensed-only'];
const MINUTE = 60_000;

interface Awkward {
  /** Completes "a server that …". */
  readonly says: string;
  /** Its target, with the fixture's world in `server`. */
  readonly target: (server: ReturnType<typeof serverWith>, time: ReturnType<typeof simulatedTime>) => Target;
  readonly change?: Change;
  readonly stale?: Patience['stale'];
  readonly contradicts?: readonly string[];
  /** Rules that have to be undetermined, with a part of the reason. */
  readonly open?: Readonly<Record<string, RegExp>>;
  readonly notes?: RegExp;
  /** Not everything can be restored there, but it is said. */
  readonly isLeft?: true;
}

const known = (asked: Parameters<NonNullable<Change['request']>>[0]) => {
  const { users, groups } = fields(asked.json);
  const isKnown = (of: { has(name: string): boolean }) => (one: unknown) => typeof one !== 'string' || of.has(one);
  return {
    ...fields(asked.json),
    ...(Array.isArray(users) && { users: list(users).filter(isKnown(asked.world.users)) }),
    ...(Array.isArray(groups) && { groups: list(groups).filter(isKnown(asked.world.groups)) }),
  };
};
const itself = (server: Target) => server;
const without = (world: World): World => ({
  ...world,
  spaces: world.spaces.delete('ds'),
  pages: world.pages.delete('65601'),
});
const swapped: Change['request'] = ({ place, path }) =>
  place === 'push' || place === 'pull' ? { path: path.replace(place, place === 'push' ? 'pull' : 'push') } : {};
const asOther: Change['request'] = asked => {
  const { name, isAdmin } = asked.caller;
  const other = isAdmin ? 'carol:carol' : 'admin:admin';
  const headers = { ...asked.headers, Authorization: `Basic ${Buffer.from(other).toString('base64')}` };
  return isPpf(asked) && name !== undefined ? { headers } : {};
};
const toCaller: Change['request'] = ({ place, json, caller }) =>
  place === 'push' && names(fields(json).users).length > 0
    ? { json: { ...fields(json), users: [caller.name], groups: [] } }
    : {};
/** Pushes or pulls for another user, too, as far as everyone sees the items: others cannot be read. */
const favouring = (place: string, user: (asked: Asked) => string | undefined): NonNullable<Change['world']> => {
  const type = place === 'push' ? 'favourite-added' : 'favourite-removed';
  return (after, _, asked) =>
    asked.place !== place || asked.response.status >= 400
      ? after
      : evolveAll(
          after,
          (['filters', 'dashboards'] as const).map((item): Fact => {
            const all = list(fields(asked.json)[item]) as number[];
            const ids = all.filter(id => asked.world[item].get(id)?.sharedWith === 'everyone');
            return { type, item, ids, users: [user(asked) ?? []].flat() };
          }),
        );
};
const replacing: Change['world'] = (after, _, asked) => {
  const id = asked.path.split('/').at(-1) ?? '';
  const page = after.pages.get(id);
  if (!isPermissions(asked) || asked.method !== 'PUT' || asked.response.status >= 400 || page === undefined)
    return after;
  const { users, groups } = fields(asked.json);
  const own = { users: PSet(names(users)), groups: PSet(names(groups)) };
  return { ...after, pages: after.pages.set(id, { ...page, [asked.place.split('/')[1] ?? '']: own }) };
};

const servers: readonly Awkward[] = [
  {
    says: 'shows changes after 30 seconds',
    target: (server, time) => stale(server, time, 30_000),
    stale: MINUTE,
    notes: /^Waiting up to 60 s for a change to appear\.\nChanges appear after 3\d s: /m,
  },
  {
    says: 'serves 20 requests a second',
    target: (server, time) => limited(server, time, 20),
    stale: MINUTE,
    notes: / got 429\. Repeating such requests, more slowly\./,
  },
  {
    says: 'refuses one request in fifteen with 503',
    target: server => failing(server, 15),
    open: {},
    notes: / got 503\. Repeating such requests\./,
  },
  {
    says: 'refuses every copy of a space with 503',
    target: server => before(server, async (one, send) => (/copySpace/.test(one.path) ? refusal(503) : send(one))),
    open: { 'spaces.copy': /copySpace.* still got 503/ },
  },
  {
    says: 'repeats its first page of members',
    target: repeatingPages,
    open: { 'groups.add-users': /the pages of its list repeat/, 'ppf.pull': /the pages of its list repeat/ },
  },
  {
    says: 'checks for forged requests',
    target: server => checkingHeader(server, 'x-atlassian-token', 403, '<h1>XSRF check failed</h1>'),
    open: { 'groups.body': /403 \(XSRF check failed\).*X-Atlassian-Token: no-check/ },
  },
  {
    says: 'is read-only',
    target: server => before(server, async (one, send) => (isChange(one) ? refusal(503, 'Read-only mode') : send(one))),
    open: { 'address.no-context-path': /refuse every request with 503 \(Read-only mode\)/ },
  },
  {
    says: 'has no space ds',
    target: server => Object.assign(server, { world: without(server.world) }),
    open: {
      'spaces.copy-keep-metadata': /Confluence has no space ds/,
      'permissions.body': /Confluence has no page 65601/,
    },
  },
  {
    says: 'is a tracker without a wiki',
    target: server => elsewhere(server, ({ path }) => !/cwx-ppf|rest\/api\/2/.test(path)),
    open: { 'address.extension-path': /wiki/, 'expand.list': /Confluence/, 'groups.body': /wiki/ },
  },
  {
    says: 'shares no groups with its tracker',
    target: () => separate(world => ({ ...world, groups: world.groups.clear() })),
    open: { 'ppf.push': /Jira has no group customers/ },
  },
  {
    says: 'has other members in the groups of its tracker',
    target: () => separate(world => ({ ...world, groups: world.groups.map(() => PSet(['bob', 'demouser2'])) })),
    open: { 'ppf.push': /has other members in Jira than the test needs: bob, demouser2/ },
  },
  {
    says: 'skips unknown users and groups of page permissions',
    target: itself,
    change: { request: asked => (isPermissions(asked) && asked.json !== undefined ? { json: known(asked) } : {}) },
  },
  {
    says: 'does nothing on a push',
    target: itself,
    change: idle(at('push')),
    open: { 'ppf.push': /reports success without .*push.*, or it only records pushes/ },
    isLeft: true,
  },
  {
    says: 'records pushes and pulls only',
    target: itself,
    change: idle(isPpf),
    open: { 'ppf.push': /only records requests, or/, 'ppf.pull': /only records requests, or/ },
  },
  {
    says: 'pushes to the caller instead',
    target: itself,
    change: { request: toCaller },
    contradicts: ['ppf.push'],
    open: { 'ppf.pull': /./ },
    isLeft: true,
  },
  {
    says: 'pushes to the caller as well',
    target: itself,
    change: { world: favouring('push', ({ caller }) => caller.name) },
    contradicts: ['ppf.push'],
  },
  {
    says: 'pushes to Alice as well',
    target: itself,
    change: { world: favouring('push', () => 'alice') },
    contradicts: ['ppf.push'],
  },
  {
    says: 'pulls from another user as well',
    target: itself,
    change: { world: favouring('pull', () => 'demouser2') },
    contradicts: ['ppf.pull'],
  },
  {
    says: 'swaps push and pull',
    target: itself,
    change: { request: swapped },
    contradicts: ['ppf.push', 'ppf.pull'],
    isLeft: true,
  },
  {
    says: 'lets everybody push and pull but admins',
    target: itself,
    change: { request: asOther },
    contradicts: ['ppf.admin-only'],
    open: { 'ppf.push': /refuse admin with 403/ },
    isLeft: true,
  },
  {
    says: 'refuses invalid pushes and pulls with 403',
    target: itself,
    change: { response: ({ status }, asked) => (isPpf(asked) && status === 400 ? { status: 403 } : {}) },
    contradicts: ['ppf.invalid-is-400'],
    open: {},
  },
  {
    says: 'serves isUnique by GET only',
    target: server =>
      before(server, async (one, send) =>
        /isUnique/.test(one.path)
          ? one.method === 'GET'
            ? send({ ...one, method: 'POST' })
            : refusal(405)
          : send(one),
      ),
    contradicts: ['spaces.is-unique'],
    open: {},
  },
  {
    says: 'replaces permissions on PUT',
    target: itself,
    change: { world: replacing },
    contradicts: ['permissions.edit-add', 'permissions.view-add'],
  },
];

const stateOf = ({ world }: { readonly world: World }) => {
  const { groups, favourites, pages } = formOf(world);
  return { groups, favourites, pages: ['65601', '65701'].map(id => [pages[id]?.view, pages[id]?.edit]) };
};

describe('conform, for a server that', () => {
  for (const { says, target, change, contradicts = [], open, notes, isLeft, ...patience } of servers)
    it(`${says}: ${contradicts.length === 0 ? 'contradicts nothing' : `contradicts ${contradicts.join(' and ')}`}`, async () => {
      const server = serverWith(change);
      const time = simulatedTime();
      const wrapped = target(server, time);
      const state = stateOf(server);
      const said: string[] = [];
      const found = await conformed(wrapped, everything, undefined, {
        patience: { ...time, ...patience },
        say: text => said.push(text),
      });
      if (notes !== undefined) expect(said.join('\n')).to.match(notes);
      expect(rulesThat('contradicts', found)).to.deep.equal(contradicts);
      for (const [rule, reason] of Object.entries(open ?? {}))
        expect(found.verdicts.find(one => one.rule === rule)?.reason, rule).to.match(reason);
      if (open === undefined) expect(rulesThat('undetermined', found)).to.have.members(always);
      if (isLeft) expect(found.left).to.not.deep.equal([]);
      else expect({ ...stateOf(server), left: found.left }).to.deep.equal({ ...state, left: [] });
    });

  it('stops responding in the middle: the run ends, and the rest is reported as not restored', async () => {
    const found = await conformed(crashing(serverWith(), 500), everything);
    expect(found.ended).to.be.instanceOf(Unreachable);
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(found.left).to.not.deep.equal([]);
  });

  it('refuses every change with 503 but checks keys: the run ends before the first file', async () => {
    const target = before(serverWith(), async (one, send) =>
      isChange(one) && !/isUnique|cwx-nothing/.test(one.path) ? refusal(503, 'Read-only mode') : send(one),
    );
    const ended = await conformed(target, everything, undefined, { patience: { stale: MINUTE } }).catch(error => error);
    expect(ended).to.be.instanceOf(RefusesChanges);
    expect(ended.message).to.equal('The server refuses changes with 503 (Read-only mode)');
  });
});

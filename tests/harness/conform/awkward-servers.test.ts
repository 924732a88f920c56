// Conform on servers as they really are: patient, incomplete, unreliable or something else. Correct ones are not blamed, what cannot be judged is
// undetermined with a reason, and everything is restored.
import { expect } from 'chai';
import { RefusesChanges } from '../../../harness/changes/server-state.js';
import { at, doesNothing } from '../../../harness/conform/faults/fault-changes.js';
import type { Change } from '../../../harness/conform/faults/server-fault.js';
import { NamesThere } from '../../../harness/names/name-map.js';
import type { Patience } from '../../../harness/target/patient-target.js';
import { formOf } from '../../../server/domain/form/form.js';
import type { World } from '../../../server/domain/world/world.js';
import { rules } from '../../../server/operations/catalog/catalog.js';
import { type Target, Unreachable } from '../../../server/scenario/play/target.js';
import {
  checkingHeader,
  isChange,
  limited,
  before as passing,
  refusal,
  repeatingPages,
  separate,
  stale,
} from '../../support/other-servers/awkward.js';
import {
  type Conformed,
  conformed,
  rulesThat,
  scenariosFor,
  serverWith,
  simulatedTime,
} from '../../support/other-servers/conforming.js';
import { elsewhere, smallTeam, withoutRest } from '../../support/other-servers/outside.js';
import { CLOSED } from '../../support/wire/connection-failures.js';
import { failure } from '../../support/worlds/failure.js';
import { isPpf, sometimes } from '../faulty-servers/changes.js';

const everything = scenariosFor();
const { world } = smallTeam().origin;
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
    says: 'refuses every copy of a space with 503',
    target: server => passing(server, async (one, send) => (/copySpace/.test(one.path) ? refusal(503) : send(one))),
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
    target: server =>
      passing(server, async (one, send) => (isChange(one) ? refusal(503, 'Read-only mode') : send(one))),
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
    says: 'is a wiki without a tracker',
    target: server => elsewhere(server, ({ path }) => /cwx-ppf|rest\/api\/2/.test(path)),
    open: { 'ppf.push': /push and pull|Jira/, 'ppf.admin-only': /push and pull|Jira/ },
  },
  {
    says: 'shares no groups with its tracker',
    target: () => separate(world => ({ ...world, groups: world.groups.clear() })),
    open: { 'ppf.push': /Jira has no group customers/ },
  },
  {
    says: 'does nothing on a push',
    target: itself,
    change: doesNothing(at('push')),
    open: { 'ppf.push': /reports success without .*push.*, or it only records pushes/ },
    isLeft: true,
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

  it('refuses every change with 503 but checks keys: the run ends before the first file', async () => {
    const target = passing(serverWith(), async (one, send) =>
      isChange(one) && !/isUnique|cwx-nothing/.test(one.path) ? refusal(503, 'Read-only mode') : send(one),
    );
    const ended = await failure(
      conformed(target, everything, undefined, { patience: { stale: MINUTE } }),
      RefusesChanges,
    );
    expect(ended.message).to.equal('The server refuses changes with 503 (Read-only mode)');
  });
});

const reasonsOf = ({ verdicts }: Conformed) => verdicts.map(({ reason = '' }) => reason);

describe('conform', () => {
  it('accepts any licence', async () => {
    const server = serverWith();
    server.world = { ...world, licence: { ppf: 'expired' } };
    const found = await conformed(server, everything);
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(found.verdicts.find(({ rule }) => rule === 'ppf.push')?.judgement).to.equal('undetermined');
    expect(found.verdicts.find(({ rule }) => rule === 'ppf.push')?.reason).to.include('refuse admin with 403');
  });

  it('reports a wrong password, and does not lock out the user', async () => {
    const names = new NamesThere(world, undefined, [{ user: 'admin', password: 'wrong' }]);
    const scenarios = scenariosFor(undefined, names);
    const wrong = `Basic ${Buffer.from('admin:wrong').toString('base64')}`;
    let attempts = 0;
    const target = passing(serverWith(), async (one, send) => {
      if (one.headers.Authorization === wrong) attempts += 1;
      return send(one);
    });
    const found = await conformed(target, scenarios);
    expect(rulesThat('undetermined', found)).to.have.length(found.verdicts.length);
    expect(reasonsOf(found)).to.include('the server refuses the password of admin');
    expect(attempts).to.be.at.most(12);
  });

  it('blames only the address if Jira has no push and pull there', async () => {
    const target = elsewhere(serverWith(), ({ path }) => path.includes('cwx-ppf'));
    expect(rulesThat('contradicts', await conformed(target, everything))).to.deep.equal(['address.ppf-path']);
  });

  for (const isLossAccepted of [false, true])
    it(`judges no effect, and changes ${isLossAccepted ? 'it' : 'nothing'}, if nothing can be read back and loss is ${isLossAccepted ? '' : 'not '}accepted`, async () => {
      const server = serverWith();
      const changed = new Set<string>();
      server.onServed = ({ asked, after }) => {
        if (after.groups !== asked.world.groups) changed.add('members');
        if (after.favourites !== asked.world.favourites) changed.add('favourites');
      };
      const found = await conformed(withoutRest(server), everything, undefined, { isLossAccepted });
      expect([...changed].sort()).to.deep.equal(isLossAccepted ? ['favourites', 'members'] : []);
      expect(rulesThat('contradicts', found)).to.deep.equal([]);
      for (const { rule, judgement, reason } of found.verdicts)
        if (rules[rule]?.effect === true) {
          expect(judgement, rule).to.equal('undetermined');
          expect(reason, rule).to.match(/./);
        }
      expect(rulesThat('conforms', found)).to.not.deep.equal([]);
    });

  it('does not judge what fails at random', async () => {
    let state = 11;
    const isHit = () => {
      state = (state * 48271) % 2147483647; // the same each time the test runs
      return state % 3 === 0;
    };
    const refusing = sometimes(at('push'), isHit, { status: 400, headers: {}, text: '' });
    const found = await conformed(serverWith(refusing), everything);
    expect(found.unstable).to.be.a('string');
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(reasonsOf(found).join('\n')).to.include('the server is unstable: POST ');
  });

  it('ends soon if the server goes down, and judges what was played', async () => {
    let count = 0;
    const down = passing(serverWith(), async (one, send) => {
      if (++count > 500) throw new Unreachable(CLOSED);
      return send(one);
    });
    const found = await conformed(down, everything);
    expect(found.ended).to.be.instanceOf(Unreachable);
    expect(count).to.be.below(540);
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(rulesThat('conforms', found)).to.not.deep.equal([]);
    expect(reasonsOf(found)).to.include('the server did not respond');
    expect(found.left).to.not.deep.equal([]);
  });

  it('judges nothing if every path exists', async () => {
    const html = { status: 200, headers: { 'content-type': 'text/html' }, text: '<html>Log in</html>' };
    const found = await conformed({ url: '', context: '', send: async () => html, close: async () => {} }, everything);
    expect(rulesThat('undetermined', found)).to.have.length(found.verdicts.length);
  });
});

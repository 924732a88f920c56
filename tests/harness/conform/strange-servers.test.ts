// Conform on servers that are incomplete, unreliable or something else: what cannot be judged is undetermined, with a reason.
import { expect } from 'chai';
import { isMissed } from '../../../harness/conform/verdicts.js';
import { NamesThere } from '../../../harness/names/name-map.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { formOf } from '../../../server/domain/form/form.js';
import { rules } from '../../../server/operations/catalog/catalog.js';
import { type Target, Unreachable } from '../../../server/scenario/play/target.js';
import {
  type Conformed,
  conformed,
  rulesThat,
  scenariosFor,
  serverWith,
} from '../../support/other-servers/conforming.js';
import { elsewhere, smallTeam, withoutRest } from '../../support/other-servers/outside.js';
import { CLOSED } from '../../support/wire/connection-failures.js';
import { at, idle, sometimes } from '../faulty-servers/changes.js';

const everything = scenariosFor();
const { world } = smallTeam().origin;
const before = formOf(world);

const reasonsOf = ({ verdicts }: Conformed) => verdicts.map(({ reason = '' }) => reason);

/** A server that does something before some requests. */
function interposed(target: Target, act: (request: HttpRequest) => void): Target {
  const { url, context } = target;
  const send = async (request: HttpRequest) => {
    act(request);
    return target.send(request);
  };
  return { url, context, send, close: async () => {} };
}

function hangingUp(isBroken: (count: number) => boolean): Target {
  let count = 0;
  return interposed(serverWith(), () => {
    if (isBroken(++count)) throw new Unreachable(CLOSED);
  });
}

describe('conform', () => {
  it('judges all rules but the licence on a correct server, and leaves at most four spaces', async () => {
    const server = serverWith();
    const found = await conformed(server, everything);
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    // sidebars and the permissions of a space are in no resource
    const undeterminable = ['licensed-only', 'sidebar-link', 'copy-default-admin', 'copy-remove-admin'];
    expect(rulesThat('undetermined', found).map(rule => rule.split('.')[1])).to.have.members(undeterminable);
    expect(found.verdicts.filter(isMissed)).to.deep.equal([]);
    expect(found.left).to.deep.equal([]);
    const { groups, favourites } = formOf(server.world);
    expect({ groups, favourites }).to.deep.equal({ groups: before.groups, favourites: before.favourites });
    expect(server.world.spaces.size - world.spaces.size).to.be.at.most(4);
  });

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
    const target = interposed(serverWith(), ({ headers }) => {
      if (headers.Authorization === wrong) attempts += 1;
    });
    const found = await conformed(target, scenarios);
    expect(rulesThat('undetermined', found)).to.have.length(found.verdicts.length);
    expect(reasonsOf(found)).to.include('the server refuses the password of admin');
    expect(attempts).to.be.at.most(12);
  });

  it('judges only the wiki if there is no Jira', async () => {
    const found = await conformed(
      elsewhere(serverWith(), ({ path }) => /cwx-ppf|rest\/api\/2/.test(path)),
      everything,
    );
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(rulesThat('conforms', found)).to.include.members(['spaces.copy', 'groups.add-users']);
    for (const { rule, reason } of found.verdicts.filter(one => one.rule.startsWith('ppf.')))
      expect(reason, rule).to.match(
        /^(the server does not have push and pull: |the server does not have Jira's REST API|no operation )/,
      );
  });

  it('blames only the address if Jira has no push and pull there', async () => {
    const target = elsewhere(serverWith(), ({ path }) => path.includes('cwx-ppf'));
    expect(rulesThat('contradicts', await conformed(target, everything))).to.deep.equal(['address.ppf-path']);
  });

  for (const isLossAccepted of [false, true])
    it(`judges no effect if nothing can be read back and loss is ${isLossAccepted ? '' : 'not '}accepted`, async () => {
      const found = await conformed(withoutRest(serverWith()), everything, undefined, { isLossAccepted });
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

  it('tolerates a connection that breaks now and then', async () => {
    const found = await conformed(
      hangingUp(count => count > 90 && count % 97 === 0),
      scenariosFor(['permissions.edit-add', 'groups.add-users']),
      ['permissions.edit-add', 'groups.add-users'],
    );
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(found.ended).to.equal(undefined);
  });

  it('ends soon if the server goes down, and judges what was played', async () => {
    let after = 0;
    const down = hangingUp(count => count > 500 && ++after > 0);
    const found = await conformed(down, everything);
    expect(found.ended).to.be.instanceOf(Unreachable);
    expect(after).to.be.below(40);
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

  it('blames nothing but the operation whose trace it meets in other files', async () => {
    const change = idle(at('groups/remove-users'));
    expect(rulesThat('contradicts', await conformed(serverWith(change), everything))).to.deep.equal([
      'groups.remove-users',
    ]);
  });
});

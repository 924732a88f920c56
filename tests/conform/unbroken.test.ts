// A server that keeps every rule contradicts none, whatever readings it follows, and whether or not it says what it is.
import { expect } from 'chai';
import * as fc from 'fast-check';
import { formOf } from '../../server/domain/form.js';
import { DEFAULT_SANDBOX } from '../../server/engine/session.js';
import { conformed, type Prepared, prepared, rulesThat } from '../support/conforming.js';
import { anyReadings, asForeign, fakeUnder, silent } from '../support/outside.js';

describe('a server that keeps every rule', function () {
  this.timeout(180_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });

  /** Whom a permission names can be seen only where a change that changes nothing is refused. */
  const permissions = [
    'permissions.edit-add',
    'permissions.edit-remove',
    'permissions.view-add',
    'permissions.view-remove',
    'permissions.all-remove',
    'permissions.groups-field',
  ];

  it('contradicts none, and what cannot be seen is undetermined', async () => {
    const fake = await fakeUnder({}, silent);
    const found = await conformed(asForeign(fake), plan);
    fake.end();
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(rulesThat('undetermined', found)).to.include.members([...permissions, 'ppf.licensed-only']);
    expect(rulesThat('conforms', found)).to.include.members(['groups.add-users', 'spaces.copy', 'ppf.needs-recipient']);
    expect(found.left).to.deep.equal([]);
  });

  it('conforms to all that can be seen, where it refuses and reports what changes nothing', async () => {
    const telling = {
      'no-change': '409',
      'ppf-no-change': 'message',
      'sidebar-duplicate': '409',
      'replace-not-found': '404',
    } as const;
    const fake = await fakeUnder(telling, silent);
    const found = await conformed(asForeign(fake), plan);
    fake.end();
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(rulesThat('conforms', found)).to.include.members([
      ...permissions,
      'spaces.sidebar-link',
      'spaces.replace-body',
      'ppf.push',
      'ppf.pull',
    ]);
  });

  it('contradicts none under any readings', async () => {
    await fc.assert(
      fc.asyncProperty(anyReadings, async readings => {
        const fake = await fakeUnder(readings, silent);
        const found = await conformed(asForeign(fake), plan);
        fake.end();
        expect(rulesThat('contradicts', found)).to.deep.equal([]);
        expect(rulesThat('conforms', found).length).to.be.above(20);
      }),
      { numRuns: 50 },
    );
  });

  it('has the same verdicts where it says nothing of itself', async () => {
    const verdicts = [];
    for (const flags of [silent, {}]) {
      const fake = await fakeUnder({}, flags);
      const found = await conformed(asForeign(fake), plan);
      fake.end();
      verdicts.push(found.verdicts.map(({ rule, judgement, reasons }) => ({ rule, judgement, reasons })));
    }
    expect(verdicts[0]).to.deep.equal(verdicts[1]);
  });

  it('is left as it was, but for spaces', async () => {
    const fake = await fakeUnder({}, silent);
    const sandbox = await fake.session.open(DEFAULT_SANDBOX);
    if (sandbox === undefined) throw new Error('the fake has no sandbox');
    const before = formOf(sandbox.state.world);
    await conformed(asForeign(fake), plan);
    const { groups, favourites, pages, spaces } = formOf(sandbox.state.world);
    fake.end();
    expect({ groups, favourites }).to.deep.equal({ groups: before.groups, favourites: before.favourites });
    expect([pages['65601']?.edit, pages['65601']?.view]).to.deep.equal([
      before.pages['65601']?.edit,
      before.pages['65601']?.view,
    ]);
    expect(Object.keys(spaces).filter(key => !key.startsWith('CWX') && !key.startsWith('cwx'))).to.deep.equal([
      'ds',
      'tmpl',
    ]);
  });

  it('that is not licensed is no less: nothing that needs the licence is held against it', async () => {
    const fake = await fakeUnder({}, silent);
    await fake.session.drop(DEFAULT_SANDBOX);
    const { origin } = fake.loaded;
    await fake.session.create(DEFAULT_SANDBOX, { ...origin, world: { ...origin.world, licence: { ppf: 'expired' } } });
    const found = await conformed(asForeign(fake), plan);
    fake.end();
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(rulesThat('conforms', found)).to.include('ppf.licensed-only');
    const push = found.verdicts.find(({ rule }) => rule === 'ppf.push');
    expect(push?.judgement).to.equal('undetermined');
    expect(push?.reasons[0]).to.equal(
      'this server answers 403 to admin: either admin is no admin, or the add-on is not licensed',
    );
  });
});

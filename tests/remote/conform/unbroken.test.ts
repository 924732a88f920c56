// A server that keeps every rule contradicts none, whatever readings it follows, with or without its control API.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import { DEFAULT_SANDBOX } from '../../../server/engine/sandbox/session.js';
import { telling } from '../../support/other-servers/bitten.js';
import {
  type Conformed,
  conformed,
  type Prepared,
  prepared,
  rulesThat,
} from '../../support/other-servers/conforming.js';
import { asForeign, fakeUnder, silent } from '../../support/other-servers/outside.js';

describe('a server that keeps every rule', function () {
  this.timeout(180_000);
  let plan: Prepared;
  /** For one without control API: the findings, and its world before and afterwards. */
  let plain: { readonly found: Conformed; readonly before: WorldForm; readonly afterwards: WorldForm };
  before(async () => {
    plan = await prepared();
    const fake = await fakeUnder({}, silent);
    const sandbox = await fake.session.open(DEFAULT_SANDBOX);
    if (sandbox === undefined) throw new Error('the fake has no sandbox');
    const before = formOf(sandbox.state.world);
    const found = await conformed(asForeign(fake), plan);
    plain = { found, before, afterwards: formOf(sandbox.state.world) };
    fake.end();
  });

  /** The users a permission names show only if the server refuses a change that changes nothing. */
  const permissions = [
    'permissions.edit-add',
    'permissions.edit-remove',
    'permissions.view-add',
    'permissions.view-remove',
    'permissions.all-remove',
    'permissions.groups-field',
  ];

  it('contradicts none, and what cannot be seen is undetermined', () => {
    const { found } = plain;
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(rulesThat('undetermined', found)).to.include.members([...permissions, 'ppf.licensed-only']);
    expect(rulesThat('conforms', found)).to.include.members(['groups.add-users', 'spaces.copy', 'ppf.needs-recipient']);
    expect(found.left).to.deep.equal([]);
  });

  it('conforms to everything visible, if it refuses changes that change nothing', async () => {
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

  it('has the same verdicts without its control API', async () => {
    const fake = await fakeUnder({}, {});
    const open = await conformed(asForeign(fake), plan);
    fake.end();
    const shortly = ({ verdicts }: Conformed) =>
      verdicts.map(({ rule, judgement, reasons }) => ({ rule, judgement, reasons }));
    expect(shortly(plain.found)).to.deep.equal(shortly(open));
  });

  it('is left unchanged except for spaces', () => {
    const { before, afterwards } = plain;
    const { groups, favourites, pages, spaces } = afterwards;
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

  it('without a licence does not fail what needs the licence', async () => {
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

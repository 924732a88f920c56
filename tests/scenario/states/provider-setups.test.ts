// The provider setups of a server: one for each sandbox, as long as the sandbox exists.
import { expect } from 'chai';
import type { Session } from '../../../server/engine/session/session.js';
import { ProviderSetups } from '../../../server/scenario/states/provider-setups.js';
import { origin, sessionWith } from '../../support/worlds/sessions.js';

describe('the provider setups of a server', () => {
  const folders = { fixtures: [], scenarios: [] };
  const load = async () => ({ problems: [] });
  const setupsOf = (session: Session) => new ProviderSetups({ session, origin: () => origin, folders, load });

  it('are one for each sandbox', () => {
    const setups = setupsOf(sessionWith());
    expect(setups.of('a')).to.equal(setups.of('a'));
    expect(setups.of('a')).not.to.equal(setups.of('b'));
  });

  it('are dropped with their sandboxes', async () => {
    const session = sessionWith();
    const setups = setupsOf(session);
    for (let i = 0; i < 1000; i += 1) {
      await setups.of(`n${i}`).setUp('licence is', { licence: 'none' });
      await session.drop(`n${i}`);
    }
    expect(setups.size).to.be.at.most(64);
  });

  it('are kept while their sandbox exists or they are at work', async () => {
    const session = sessionWith();
    const setups = setupsOf(session);
    const kept = setups.of('kept');
    await kept.setUp('licence is', { licence: 'none' });
    const busy = setups.of('busy');
    const working = busy.setUp('licence is', { licence: 'none' });
    for (let i = 0; i < 1000; i += 1) setups.of(`n${i}`);
    expect(setups.of('kept')).to.equal(kept);
    expect(setups.of('busy')).to.equal(busy);
    await working;
    await kept.setUp('user exists', { name: 'bob' });
    expect(session.sandboxes.find('kept')?.state.world.licence.ppf).to.equal('none');
  });
});

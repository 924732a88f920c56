// The caller of a request, checked against the users of the world. Headers with credentials: tests/http/bad-input/authorization.test.ts.
import { expect } from 'chai';
import { callerOf } from '../../../../server/engine/request/stages/caller.js';
import { defaultReadings } from '../../../../server/operations/gaps/gaps.js';
import { Provenance } from '../../../../server/operations/provenance.js';
import { ask, smallTeam } from '../../../support/worlds/ask.js';
import { teamWith } from '../../../support/worlds/judge.js';

describe('the caller of a request', () => {
  it('is looked up in the world of that moment, like the admin right', () => {
    const on = teamWith({ users: { admin: { admin: false, password: 'new' } } });
    const json = { users: ['alice'], filters: [10500] };
    expect(ask('ppf.push', { on, json }).refused).to.equal('bad-credentials');
    const credentials = { kind: 'basic', user: 'admin', password: 'new' } as const;
    expect(ask('ppf.push', { on, json, credentials }).refused).to.equal('ppf-not-admin');
  });

  it('is the authenticated user of a journal entry if the world still has that user', () => {
    const caller = (user: string) => callerOf({ kind: 'proved', user }, smallTeam, new Provenance(defaultReadings));
    expect(caller('alice')).to.deep.equal({ kind: 'user', name: 'alice' });
    const unknown = caller('nobody');
    expect(unknown).to.include({ refused: 'bad-credentials' });
    expect(unknown).to.have.property('message').that.contains('"nobody"');
  });
});

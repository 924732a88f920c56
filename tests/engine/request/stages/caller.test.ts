// The caller of a request, checked against the users of the world. Headers with credentials: tests/http/bad-input/authorization.test.ts.
import { expect } from 'chai';
import type { Credentials } from '../../../../server/engine/request/request.js';
import { callerOf } from '../../../../server/engine/request/stages/caller.js';
import { defaultReadings } from '../../../../server/operations/gaps/gaps.js';
import { isRefused, Provenance } from '../../../../server/operations/provenance.js';
import { ask } from '../../../support/worlds/ask.js';
import { teamWith } from '../../../support/worlds/judge.js';

const on = teamWith({ users: { colonel: { password: 'a:b:c' }, 'with space/and%': { token: ' t ' } } });
const caller = (credentials: Credentials) => callerOf(credentials, on, new Provenance(defaultReadings));

describe('callerOf', () => {
  it('maps a token to its owner, and an unknown, empty or oddly named one to no user', () => {
    expect(caller({ kind: 'bearer', token: 'admin-token' })).to.deep.equal({ kind: 'user', name: 'admin' });
    expect(caller({ kind: 'bearer', token: ' t ' })).to.deep.equal({ kind: 'user', name: 'with space/and%' });
    for (const token of ['', 'Admin-Token', 'admin', 'undefined', '__proto__', 't']) {
      expect(caller({ kind: 'bearer', token })).to.have.property('refused', 'bad-credentials');
    }
  });

  it('is anonymous without credentials; unreadable ones are refused with the reason', () => {
    expect(caller({ kind: 'none' })).to.deep.equal({ kind: 'anonymous' });
    const unreadable = caller({ kind: 'unreadable', problem: 'Digest is not known here.', like: '' });
    expect(isRefused(unreadable) && unreadable.message).to.equal('Digest is not known here.');
  });

  it('looks up the caller and the admin right in the world of that moment', () => {
    const gone = teamWith({ users: { admin: { admin: false, password: 'new' } } });
    const json = { users: ['alice'], filters: [10500] };
    expect(ask('ppf.push', { on: gone, json }).refused).to.equal('bad-credentials');
    const credentials = { kind: 'basic', user: 'admin', password: 'new' } as const;
    expect(ask('ppf.push', { on: gone, json, credentials }).refused).to.equal('ppf-not-admin');
  });

  it('accepts an authenticated user if the world has one', () => {
    expect(caller({ kind: 'proved', user: 'colonel' })).to.deep.equal({ kind: 'user', name: 'colonel' });
    expect(caller({ kind: 'proved', user: 'nobody' })).to.deep.include({
      refused: 'bad-credentials',
      message: 'There is no user named "nobody".',
    });
  });

  it('refuses credentials already rejected, for the same reason', () => {
    const problem = 'Wrong password for "colonel".';
    expect(caller({ kind: 'unproved', problem })).to.deep.include({ refused: 'bad-credentials', message: problem });
  });
});

// The caller of a request: passwords, tokens and their absence, checked against the users of the world.
import { expect } from 'chai';
import type { Credentials } from '../../../../server/engine/request/request.js';
import { callerOf } from '../../../../server/engine/request/stages/caller.js';
import { defaultReadings } from '../../../../server/operations/gaps/gaps.js';
import { isRefused, Provenance } from '../../../../server/operations/provenance.js';
import { ask } from '../../../support/worlds/ask.js';
import { teamWith } from '../../../support/worlds/judge.js';

const on = teamWith({
  users: {
    colonel: { password: 'a:b:c' },
    empty: { password: '' },
    ünïcode: { password: 'pä😀' },
    __proto__x: {},
    'with space/and%': { password: ' ', token: ' t ' },
  },
});
const caller = (credentials: Credentials) => callerOf(credentials, on, new Provenance(defaultReadings));
const basic = (user: string, password: string) => caller({ kind: 'basic', user, password });

describe('callerOf', () => {
  const right: [user: string, password: string][] = [
    ['admin', 'admin'],
    ['alice', 'anything'],
    ['alice', ''],
    ['colonel', 'a:b:c'],
    ['empty', ''],
    ['ünïcode', 'pä😀'],
    ['with space/and%', ' '],
  ];
  for (const [user, password] of right) {
    it(`accepts ${user} with the password ${JSON.stringify(password)}`, () => {
      expect(basic(user, password)).to.deep.equal({ kind: 'user', name: user });
    });
  }

  const wrong: [user: string, password: string, message: string][] = [
    ['admin', 'Admin', 'Wrong password for "admin".'],
    ['admin', '', 'Wrong password for "admin".'],
    ['colonel', 'a', 'Wrong password for "colonel".'],
    ['empty', 'x', 'Wrong password for "empty".'],
    ['u\u0308ni\u0308code', 'pä😀', 'There is no user named "u\u0308ni\u0308code".'],
    ['Admin', 'admin', 'There is no user named "Admin".'],
    ['', '', 'There is no user named "".'],
    ['anonymous', '', 'There is no user named "anonymous".'],
    ['__proto__', '', 'There is no user named "__proto__".'],
    ['constructor', '', 'There is no user named "constructor".'],
    ['x'.repeat(10_000), '', `There is no user named "${'x'.repeat(77)}...".`],
  ];
  for (const [user, password, message] of wrong) {
    it(`refuses ${user.slice(0, 20)} with the password ${JSON.stringify(password)}`, () => {
      expect(basic(user, password)).to.deep.equal({ refused: 'bad-credentials', status: 401, message });
    });
  }

  it('never shows the sent password or token in a message, nor the right one', () => {
    for (const refused of [basic('colonel', 'guessed'), caller({ kind: 'bearer', token: 'guessed' })]) {
      expect(JSON.stringify(refused)).to.not.match(/guessed|a:b:c/);
    }
  });

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

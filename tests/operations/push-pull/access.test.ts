// Who may push and pull: an authenticated admin of a licensed add-on. Both documented 403 cases apply under every reading.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { expectRefused, teamWith } from '../../support/worlds/judge.js';

const json = { users: ['alice'], filters: [10500] };
const expired = teamWith({ licence: { ppf: 'expired' } });
const none = teamWith({ licence: { ppf: 'none' } });

for (const id of ['ppf.push', 'ppf.pull'] as const) {
  describe(`${id}: access`, () => {
    for (const status of ['403', '401'] as const)
      it(`ppf.authenticated: ${id} without credentials gets ${status} and no challenge (ppf-anonymous=${status})`, () => {
        const readings = { 'ppf-anonymous': status };
        const asked = ask(id, { as: null, json, readings });
        expectRefused(asked, {
          status: Number(status),
          code: 'ppf-anonymous',
          rules: ['ppf.authenticated'],
          gaps: readings,
        });
        expect(asked.response.headers).not.to.have.property('WWW-Authenticate'); // Jira does not challenge
      });

    for (const [licence, on] of [
      ['expired', expired],
      ['none', none],
    ] as const) {
      it(`ppf.licensed-only: ${id} without a licence (${licence}) is 403, and nothing happens`, () => {
        for (const reading of ['403', '401'] as const) {
          expectRefused(ask(id, { on, json, readings: { 'ppf-anonymous': reading } }), {
            status: 403,
            code: 'ppf-not-licensed',
            rules: ['ppf.licensed-only'],
            gaps: {},
            on,
          });
        }
      });

      it(`ppf.admin-only: ${id} checks for an admin before the licence (${licence})`, () => {
        const asked = ask(id, { on, as: 'alice', json });
        expect(asked.refused).to.equal('ppf-not-admin');
        expect(asked.rules).not.to.include('ppf.licensed-only');
        expect(ask(id, { on, as: null, json }).refused).to.equal('ppf-anonymous');
      });
    }

    it('ppf.licensed-only: the wiki needs no licence', () => {
      expect(ask('groups.add-users', { on: none, json: { group: 'customers', users: [] } }).status).to.equal(200);
    });
  });

  describe(`gap ppf-check-order, on ${id}`, () => {
    const callers = [
      ['an anonymous caller', { as: null }, 'ppf-anonymous'],
      ['no admin', { as: 'alice' }, 'ppf-not-admin'],
      ['no licence', { on: expired }, 'ppf-not-licensed'],
    ] as const;
    const bodies = [
      ['no recipient', { json: { filters: [10500] } }, 'ppf-no-recipient'],
      ['no item', { json: { users: ['alice'] } }, 'ppf-no-item'],
      ['wrong types', { json: { users: [1], filters: [10500] } }, 'body-shape'],
      ['no JSON', { body: { kind: 'not-json', text: '{', problem: 'it ends' } }, 'body-not-json'],
    ] as const;
    for (const [who, caller, denied] of callers) {
      for (const [what, body, invalid] of bodies) {
        it(`ppf-check-order=403-first: ${who} with ${what} is not permitted`, () => {
          const asked = ask(id, { ...caller, ...body });
          expect(asked).to.include({ status: 403, refused: denied });
          expect(asked.gaps).to.include({ 'ppf-check-order': '403-first' });
          expect(asked.rules).not.to.include('ppf.invalid-is-400');
        });

        it(`ppf-check-order=400-first: ${who} with ${what} is invalid`, () => {
          const asked = ask(id, { ...caller, ...body, readings: { 'ppf-check-order': '400-first' } });
          expect(asked).to.include({ status: 400, refused: invalid });
          expect(asked.gaps).to.include({ 'ppf-check-order': '400-first' });
          expect(asked.rules).not.to.include.oneOf(['ppf.authenticated', 'ppf.admin-only', 'ppf.licensed-only']);
        });
      }

      it(`ppf-check-order=400-first: ${who} with a valid body is not permitted`, () => {
        const asked = ask(id, { ...caller, json, readings: { 'ppf-check-order': '400-first' } });
        expect(asked).to.include({ status: 403, refused: denied });
      });
    }

    it('ppf-check-order=403-first: an admin with an invalid body gets 400', () => {
      expect(ask(id, { json: {} }).status).to.equal(400);
    });
  });
}

// Names of composed and decomposed letters, and numbers as ids. Unusual names: tests/security/prototype-names.test.ts and header-injection.test.ts.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const NFC = 'caf\u00e9';
const NFD = 'cafe\u0301';
describe('a composed and a decomposed name', () => {
  it('are different', () => {
    expect(NFC).to.not.equal(NFD);
    const on = teamWith({ users: { [NFC]: {} }, groups: { [NFC]: [], [NFD]: [] } });
    const asked = ask('groups.add-users', { on, json: { group: NFD, users: [NFC] } });
    expect(asked.world.groups.get(NFD)?.toArray()).to.deep.equal([NFC]);
    expect(asked.world.groups.get(NFC)?.size).to.equal(0);
    expect(ask('groups.add-users', { on, json: { group: NFC, users: [NFD] } }).refused).to.equal('unknown-user');
  });
});

describe('numbers', () => {
  const push = (text: string) => {
    const body = `{"users":["alice"],"filters":[${text}]}`;
    return ask('ppf.push', { body: { kind: 'json', value: JSON.parse(body), text: body } });
  };
  it('ppf.body-types: other values are not ids', () => {
    for (const text of ['"10500"', '10500.5', 'null', 'true', '[10500]', '1e400']) {
      const gaps = text.startsWith('"') ? { 'field-type': '400' } : {};
      expectRefused(push(text), { status: 400, code: 'body-shape', rules: ['ppf.body-types'], gaps });
    }
  });

  it('ppf.body-types: any whole number is an id, perhaps of no filter', () => {
    for (const text of ['9007199254740993', '-9007199254740993', '1e30', '-1', '-0', '1e3'])
      expectDone(push(text), [], {
        success: false,
        messages: [`Could not find filter with id ${{ '-0': 0, '1e3': 1000 }[text] ?? text}`],
      });
  });

  it('ppf.body-types: an id may have any notation', () => {
    for (const text of ['10500', '10500.0', '1.05e4'])
      expectDone(push(text), [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] }], {
        success: true,
        messages: [],
      });
  });
});

// Each reading of the gaps about texts in responses. Bodies of successes and errors: scenarios/gaps and tests/model.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';

describe('gaps error-text and ppf-message-text', () => {
  const other = { 'error-text': 'other' } as const;
  const reply = (id: OperationId, json: unknown, readings: SomeReadings) => ask(id, { json, readings }).reply;

  it('error-text=other: one sentence for each kind of error; status and shape stay', () => {
    expect(reply('groups.add-users', { group: 'customers', users: ['bob'] }, other)).to.deep.equal({
      statusCode: 404,
      message: 'Request refused: there is no such user.',
      reason: 'Not Found',
    });
    for (const [json, count] of [
      [{}, 2],
      [{ users: [1, 2], filters: [1] }, 1],
    ] as const)
      expect(reply('ppf.push', json, other))
        .to.have.property('errorMessages')
        .with.lengthOf(count);
    const messages = reply('groups.add-users', { group: 1 }, { ...other, 'wiki-error-body': 'messages' });
    expect(messages).to.have.property('messages').with.lengthOf(2);
    expect(reply('ppf.push', {}, { ...other, 'ppf-error-body': 'empty' })).to.equal(undefined);
  });

  const texts: Readonly<Record<'vendor' | 'other', readonly string[]>> = {
    vendor: [
      'Could not find user with name bob',
      'Could not find filter with id 1',
      'Filter with id 10600 is a favourite already of user with name carol',
    ],
    other: ['No such user: bob', 'No such filter: 1', 'Nothing to do for carol: Filter 10600'],
  };
  for (const text of ['vendor', 'other'] as const)
    it(`ppf-message-text=${text}: ${texts[text][0]}`, () => {
      const json = { users: ['bob', 'alice', 'carol'], filters: [1, 10600] };
      const readings = { 'ppf-message-text': text, 'ppf-no-change': 'message' } as const;
      expect(reply('ppf.push', json, readings)).to.deep.equal({ success: false, messages: texts[text] });
    });
});

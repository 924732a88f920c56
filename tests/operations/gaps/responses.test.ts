// Each reading of the gaps about the shape of responses: successes and errors of each family.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { Reading, SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { messageOf } from '../../support/worlds/judge.js';
import { idsWith, operationIds, ppfIds, validQuestions } from '../../support/worlds/valid.js';

const doing = idsWith('wiki-success');
const guarded = idsWith('wiki-auth');

describe('gap wiki-success', () => {
  const responses: [Reading<'wiki-success'>, status: number, body: string | undefined][] = [
    ['object', 200, '{}'],
    ['empty', 200, undefined],
    ['no-content', 204, undefined],
    ['messages', 200, '{"success":true,"messages":[]}'],
  ];
  for (const [reading, status, body] of responses) {
    for (const id of doing) {
      it(`wiki-success=${reading}: ${id} answers ${status} with ${body ?? 'no body'}, and does the same`, () => {
        const asked = ask(id, { ...validQuestions[id], readings: { 'wiki-success': reading } });
        const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
        expect(asked.response).to.deep.equal({ status, headers, ...(body !== undefined && { body }) });
        expect(asked.facts).to.deep.equal(ask(id, validQuestions[id]).facts);
      });
    }

    it(`wiki-success=${reading}: does not affect push and pull, refusals, or the response of is-unique`, () => {
      const readings = { 'wiki-success': reading };
      for (const id of operationIds.filter(one => !doing.includes(one))) {
        const { response } = ask(id, { ...validQuestions[id], readings });
        expect(response).to.deep.equal(ask(id, validQuestions[id]).response);
      }
      expect(ask('groups.add-users', { json: {}, readings }).status).to.equal(400);
    });
  }
});

describe('gap wiki-error-body', () => {
  const auth = { 'wiki-auth': 'admin' } as const;
  const message = messageOf(ask('groups.add-users', { as: null, readings: auth }));
  const bodies: [Reading<'wiki-error-body'>, unknown][] = [
    ['confluence', { statusCode: 401, message, reason: 'Unauthorized' }],
    ['messages', { messages: [message] }],
    ['empty', undefined],
  ];
  for (const id of guarded)
    for (const [reading, body] of bodies)
      it(`wiki-error-body=${reading}: ${id}`, () => {
        const readings = { ...auth, 'wiki-error-body': reading } as const;
        const { status, reply, response } = ask(id, { ...validQuestions[id], as: null, readings });
        expect(status).to.equal(401);
        expect(reply).to.deep.equal(body);
        expect(response.headers['Content-Type']).to.equal(body === undefined ? undefined : 'application/json');
      });
});

describe('gap ppf-error-body', () => {
  for (const id of ppfIds) {
    const message = messageOf(ask(id, { as: 'alice' }));
    const bodies: [Reading<'ppf-error-body'>, unknown][] = [
      ['jira', { errorMessages: [message], errors: {} }],
      ['messages', { messages: [message] }],
      ['empty', undefined],
    ];
    for (const [reading, body] of bodies) {
      it(`ppf-error-body=${reading}: ${id}`, () => {
        const readings = { 'ppf-error-body': reading };
        const asked = ask(id, { ...validQuestions[id], as: 'alice', readings });
        expect(asked.status).to.equal(403);
        expect(asked.reply).to.deep.equal(body);
        expect(asked.response.headers['Content-Type']).to.equal(
          body === undefined ? undefined : 'application/json;charset=UTF-8',
        );
      });
    }
  }

  it('ppf-error-body: does not affect the wiki, nor the other way round', () => {
    const readings = { 'ppf-error-body': 'empty', 'wiki-error-body': 'messages' } as const;
    expect(ask('groups.add-users', { json: {}, readings }).reply).to.have.all.keys('messages');
    expect(ask('ppf.push', { json: {}, readings }).reply).to.equal(undefined);
  });
});

describe('gaps error-text and ppf-message-text', () => {
  const other = { 'error-text': 'other' } as const;
  const reply = (id: OperationId, json: unknown, readings: SomeReadings) => ask(id, { json, readings }).reply;

  it('error-text=detailed: the message names the error', () => {
    const json = { group: 'customers', users: ['bob'] };
    expect(reply('groups.add-users', json, {}))
      .to.have.property('message')
      .that.contains('"bob"');
  });

  it('error-text=other: one sentence for each kind of error; status and shape stay', () => {
    expect(reply('groups.add-users', { group: 'customers', users: ['bob'] }, other)).to.deep.equal({
      statusCode: 404,
      message: 'Request refused: there is no such user.',
      reason: 'Not Found',
    });
    expect(reply('ppf.push', {}, other)).to.have.deep.property('errorMessages', [
      'Request refused: there are no users and no groups.',
      'Request refused: there are no filters and no dashboards.',
    ]);
    expect(reply('ppf.push', { users: [1, 2], filters: [1] }, other)).to.have.deep.property('errorMessages', [
      'Request refused: the body has the wrong shape.',
    ]);
    expect(reply('groups.add-users', { group: 1 }, { ...other, 'wiki-error-body': 'messages' })).to.deep.equal({
      messages: ['Request refused: a list is missing.', 'Request refused: the body has the wrong shape.'],
    });
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

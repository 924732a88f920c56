// Each reading of the gaps about the shape of responses: successes and errors of each family.
import { expect } from 'chai';
import type { Reading } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { operationIds, ppfIds, validQuestions, wikiIds } from '../../support/worlds/valid.js';

const doing = wikiIds.filter(id => id !== 'spaces.is-unique');

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
        expect(asked.gaps).to.include({ 'wiki-success': reading });
        expect(asked.facts).to.deep.equal(ask(id, validQuestions[id]).facts);
      });
    }

    it(`wiki-success=${reading}: does not affect push and pull, refusals, or the response of is-unique`, () => {
      const readings = { 'wiki-success': reading };
      for (const id of [...ppfIds, 'spaces.is-unique'] as const) {
        const asked = ask(id, { ...validQuestions[id], readings });
        expect(asked.gaps).not.to.have.property('wiki-success');
        expect(asked.response).to.deep.equal(ask(id, validQuestions[id]).response);
      }
      expect(ask('groups.add-users', { json: {}, readings }).gaps).not.to.have.property('wiki-success');
    });
  }
});

describe('gap wiki-error-body', () => {
  for (const id of wikiIds) {
    const refused = { ...validQuestions[id], as: null, readings: { 'wiki-auth': 'admin' } } as const;
    const message = 'The request has no credentials: this operation requires a user of the wiki (wiki-auth=admin).';

    it(`wiki-error-body=confluence: ${id}`, () => {
      const asked = ask(id, refused);
      expect(asked.reply).to.deep.equal({ statusCode: 401, message, reason: 'Unauthorized' });
      expect(asked.gaps).to.deep.equal({
        'wiki-auth': 'admin',
        'wiki-anonymous': '401',
        'wiki-error-body': 'confluence',
      });
      expect(asked.response.headers['Content-Type']).to.equal('application/json');
    });

    it(`wiki-error-body=messages: ${id}`, () => {
      const asked = ask(id, { ...refused, readings: { ...refused.readings, 'wiki-error-body': 'messages' } });
      expect(asked.reply).to.deep.equal({ messages: [message] });
      expect(asked.gaps).to.include({ 'wiki-error-body': 'messages' });
    });

    it(`wiki-error-body=empty: ${id}`, () => {
      const asked = ask(id, { ...refused, readings: { ...refused.readings, 'wiki-error-body': 'empty' } });
      expect(asked.response).not.to.have.property('body');
      expect(asked.response.headers).not.to.have.property('Content-Type');
      expect(asked.status).to.equal(401);
      expect(asked.gaps).to.include({ 'wiki-error-body': 'empty' });
    });
  }
});

describe('gap ppf-error-body', () => {
  for (const id of ppfIds) {
    const message = '"alice" is not an admin: push and pull require one.';
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
        expect(asked.gaps).to.deep.equal(readings);
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

describe('error bodies', () => {
  it('are not decided if nothing is refused', () => {
    for (const id of operationIds) {
      expect(ask(id, validQuestions[id]).gaps).not.to.have.any.keys('wiki-error-body', 'ppf-error-body');
    }
  });
});

describe('gap error-text', () => {
  const other = { 'error-text': 'other' } as const;
  const errors = ({ reply }: { readonly reply: unknown }) =>
    (reply as { readonly errorMessages: string[] }).errorMessages;

  it('error-text=other: one sentence for each kind of error', () => {
    expect(errors(ask('ppf.push', { json: {}, readings: other }))).to.deep.equal([
      'Request refused: there are no users and no groups.',
      'Request refused: there are no filters and no dashboards.',
    ]);
    expect(errors(ask('ppf.push', { json: { users: [1, 2], filters: [1] }, readings: other }))).to.deep.equal([
      'Request refused: the body has the wrong shape.',
    ]);
    const readings = { ...other, 'wiki-error-body': 'messages' } as const;
    const { reply } = ask('groups.add-users', { json: { group: 1 }, readings });
    expect(reply).to.deep.equal({
      messages: ['Request refused: a list is missing.', 'Request refused: the body has the wrong shape.'],
    });
  });
});

// The gaps about query parameters: missing, unknown and repeated ones, booleans, and expand.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { operationIds, validQuestions } from '../../support/worlds/valid.js';
import { accepts, refuses } from './gap-tests.js';

type Query = Readonly<Record<string, string>>;
const copying = validQuestions['spaces.copy'].query as Query; // not as text
const options = ['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata'];

describe('gap missing-parameter', () => {
  it('missing-parameter: any is refused, or taken as empty or false', () => {
    for (const id of ['spaces.copy', 'spaces.is-unique', 'spaces.replace-in-page'] as const)
      for (const name of Object.keys(validQuestions[id].query ?? {})) {
        const query = validQuestions[id].query as Query;
        const { [name]: _, ...rest } = query;
        const value = /remove|keep/.test(name) ? 'false' : '';
        const sent = ask(id, { ...validQuestions[id], query: { ...query, [name]: value } });
        for (const reading of ['400', 'empty', 'copy-options'] as const) {
          const readings = { 'missing-parameter': reading };
          const { response, facts, refused } = ask(id, { ...validQuestions[id], query: rest, readings });
          if (reading === '400' || (reading === 'copy-options' && !options.includes(name)))
            expect(refused).to.equal('missing-parameter');
          else expect({ response, facts }).to.deep.equal({ response: sent.response, facts: sent.facts });
        }
      }
  });
  refuses({ 'missing-parameter': 'copy-options' }, 'spaces.copy', {
    query: { sourceSpaceKey: 'tmpl' },
    status: 400,
    message: /"targetSpaceKey" and "targetSpaceTitle"/,
  });
});

describe('gaps unknown-parameter, repeated-parameter and query-boolean', () => {
  const query = { spaceKey: 'GEMINI', spaceName: 'Gemini', colour: 'red' };
  refuses({ 'unknown-parameter': '400' }, 'spaces.is-unique', {
    query: { ...query, size: '1' },
    message: /"colour" and "size".*spaceKey or spaceName/,
  });

  it('unknown-parameter=400: applies to operations without parameters too, but not to expand', () => {
    const push = { ...validQuestions['ppf.push'], readings: { 'unknown-parameter': '400' } } as const;
    expect(ask('ppf.push', { ...push, query: { page: '2' } }).refused).to.equal('unknown-parameter');
    expect(ask('ppf.push', { ...push, query: { expand: 'a' } }).status).to.equal(200);
  });

  const repeated = 'spaceKey=free&spaceKey=ds&spaceName=Other';
  accepts({ 'repeated-parameter': 'first' }, 'spaces.is-unique', { query: repeated }, [], true);
  accepts({ 'repeated-parameter': 'last' }, 'spaces.is-unique', { query: repeated }, [], false);
  for (const sent of [repeated, repeated.replace('free', 'ds')])
    refuses({ 'repeated-parameter': '400' }, 'spaces.is-unique', {
      query: sent,
      message: /"spaceKey"/,
    });

  const unclear = { ...copying, removeAdminPermissions: 'a', keepPagesMetadata: 'b' };
  refuses({ 'query-boolean': 'strict' }, 'spaces.copy', {
    query: unclear,
    status: 400,
    code: 'query-shape',
    message: /"removeAdminPermissions" is "a": .* "keepPagesMetadata" is "b": it must be true or false\.$/,
  });

  it('query-boolean=lenient: it is false', () => {
    const asked = ask('spaces.copy', { query: unclear, readings: { 'query-boolean': 'lenient' } });
    expect(asked.status).to.equal(200);
    expect(asked.rules).not.to.include('spaces.copy-remove-admin');
  });
});

describe('gap expand-unknown', () => {
  refuses({ 'expand-unknown': '400' }, 'spaces.is-unique', {
    query: { spaceKey: 'GEMINI', spaceName: 'Gemini', expand: 'space,body.view' },
    status: 400,
    code: 'unknown-expand',
    message: /"space", "view" inside "body":/,
  });
  it('expand-unknown=ignore, expand-unknown=400: each operation reports the requested names, or refuses them', () => {
    for (const id of operationIds) {
      const query = { ...(validQuestions[id].query as Query), expand: 'space,body.view' };
      const [asked, plain] = [ask(id, { ...validQuestions[id], query }), ask(id, validQuestions[id])];
      expect(asked.response).to.deep.equal(plain.response);
      expect(asked.expand).to.deep.equal(['space', 'body.view']);
      expect(asked.gaps).to.deep.equal({ 'expand-unknown': 'ignore', ...plain.gaps });
      const ofExpand = asked.rules.filter(rule => rule.startsWith('expand.'));
      expect(ofExpand).to.deep.equal(id.startsWith('ppf.') ? [] : ['expand.list', 'expand.nested']); // they are the wiki's
      const strict = ask(id, { ...validQuestions[id], query, readings: { 'expand-unknown': '400' } });
      expect(strict).to.include({ status: 400, refused: 'unknown-expand' });
    }
  });
});

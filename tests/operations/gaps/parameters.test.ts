// Each reading of the gaps about addresses and parameters: missing, unknown and repeated ones, booleans, expand. Version and slash: tests/http/bad-input.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { ask } from '../../support/worlds/ask.js';
import { operationIds, validQuestions } from '../../support/worlds/valid.js';
import { accepts, refuses } from './gap-tests.js';

type Query = Readonly<Record<string, string>>;
const queryOf = (id: OperationId) => (validQuestions[id].query ?? {}) as Query;
const options = ['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata'];

describe('gap missing-parameter', () => {
  for (const id of ['spaces.copy', 'spaces.is-unique', 'spaces.replace-in-page'] as const) {
    const query = queryOf(id);
    for (const name of Object.keys(query)) {
      const left = Object.fromEntries(Object.entries(query).filter(([other]) => other !== name));
      const question = { ...validQuestions[id], query: left };
      const isOption = options.includes(name);
      for (const reading of isOption ? (['400'] as const) : (['400', 'copy-options'] as const))
        refuses({ 'missing-parameter': reading }, id, {
          ...question,
          status: 400,
          message: `Missing query parameter "${name}".`,
        });

      for (const reading of isOption ? (['empty', 'copy-options'] as const) : (['empty'] as const))
        it(`missing-parameter=${reading}: ${id} without ${name} takes it as empty, or as false`, () => {
          const missing = ask(id, { ...question, readings: { 'missing-parameter': reading } });
          const empty = /remove|keep/.test(name) ? 'false' : '';
          const sent = ask(id, { ...question, query: { ...query, [name]: empty } });
          expect(missing.response).to.deep.equal(sent.response);
          expect(missing.facts).to.deep.equal(sent.facts);
        });
    }
  }
  refuses({ 'missing-parameter': 'copy-options' }, 'spaces.copy', {
    query: { sourceSpaceKey: 'tmpl' },
    status: 400,
    message: 'Missing query parameters "targetSpaceKey" and "targetSpaceTitle".',
  });
});

describe('gap unknown-parameter', () => {
  const query = { spaceKey: 'GEMINI', spaceName: 'Gemini', colour: 'red' };
  const strict = { 'unknown-parameter': '400' } as const;
  accepts({ 'unknown-parameter': 'ignore' }, 'spaces.is-unique', { query }, [], true);
  refuses(strict, 'spaces.is-unique', {
    query: { ...query, size: '1' },
    code: 'unknown-parameter',
    message: 'Unknown query parameters "colour" and "size": expected spaceKey or spaceName.',
  });

  it('unknown-parameter=400: applies to operations without parameters too, but not to expand', () => {
    const push = { ...validQuestions['ppf.push'], readings: strict };
    expect(ask('ppf.push', { ...push, query: { page: '2' } }).refused).to.equal('unknown-parameter');
    expect(ask('ppf.push', { ...push, query: { expand: 'a' } }).status).to.equal(200);
  });
});

describe('gap query-boolean', () => {
  const query = { ...queryOf('spaces.copy'), removeAdminPermissions: 'a' };
  refuses({ 'query-boolean': 'strict' }, 'spaces.copy', {
    query,
    status: 400,
    code: 'query-shape',
    message: 'The parameter "removeAdminPermissions" is "a": it must be true or false.',
  });

  it('query-boolean=strict: each wrong value has its message', () => {
    const readings = { 'wiki-error-body': 'messages' } as const;
    expect(ask('spaces.copy', { query: { ...query, keepPagesMetadata: 'b' }, readings }).reply).to.deep.equal({
      messages: [
        'The parameter "removeAdminPermissions" is "a": it must be true or false.',
        'The parameter "keepPagesMetadata" is "b": it must be true or false.',
      ],
    });
  });

  it('query-boolean=lenient: it is false', () => {
    const asked = ask('spaces.copy', { query, readings: { 'query-boolean': 'lenient' } });
    expect(asked.status).to.equal(200);
    expect(asked.rules).not.to.include('spaces.copy-remove-admin');
  });
});

describe('gap repeated-parameter', () => {
  const query = 'spaceKey=free&spaceKey=ds&spaceName=Other';
  accepts({ 'repeated-parameter': 'first' }, 'spaces.is-unique', { query }, [], true);
  accepts({ 'repeated-parameter': 'last' }, 'spaces.is-unique', { query }, [], false);
  for (const sent of [query, query.replace('free', 'ds')])
    refuses({ 'repeated-parameter': '400' }, 'spaces.is-unique', {
      query: sent,
      message: 'The query has "spaceKey" several times: send it once.',
    });
});

describe('gap expand-unknown', () => {
  for (const id of operationIds) {
    const question = { ...validQuestions[id], query: { ...queryOf(id), expand: 'space,body.view' } };
    it(`expand-unknown=ignore: ${id} answers as without it, and reports the requested names`, () => {
      const asked = ask(id, question);
      const plain = ask(id, validQuestions[id]);
      expect(asked.response).to.deep.equal(plain.response);
      expect(asked.expand).to.deep.equal(['space', 'body.view']);
      expect(asked.gaps).to.deep.equal({ 'expand-unknown': 'ignore', ...plain.gaps });
      const ofExpand = asked.rules.filter(rule => rule.startsWith('expand.'));
      expect(ofExpand).to.deep.equal(id.startsWith('ppf.') ? [] : ['expand.list', 'expand.nested']); // they are the wiki's
    });

    refuses({ 'expand-unknown': '400' }, id, {
      ...question,
      code: 'unknown-expand',
      message: 'expand asks for "space", "view" inside "body": this response has nothing to expand.',
    });
  }
});

// The shape of each operation, rule, gap and refusal.
import { expect } from 'chai';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
import {
  operationIds,
  operationOf,
  operations,
  restResources,
  rules,
} from '../../../server/operations/catalog/catalog.js';
import {
  defaultReadings,
  type GapId,
  gapIds,
  gapSpec,
  isGapId,
  isReading,
  layReadings,
  readingNames,
} from '../../../server/operations/gaps/gaps.js';
import { type RefusalCode, refusalSpec, refusals } from '../../../server/operations/refusals.js';
import type { JsonSchema } from '../../../server/operations/schema.js';

describe('the catalog', () => {
  it('knows its own operations and no others', () => {
    expect(operationOf('groups.add-users')?.id).to.equal('groups.add-users');
    for (const none of ['', 'groups', '__proto__', 'Groups.add-users']) expect(operationOf(none)).to.equal(undefined);
  });

  it('has for each rule its text and its place in the document', () => {
    for (const [id, { says, source }] of Object.entries(rules)) {
      expect(says, id).to.match(/^\S.*\.$/);
      expect(source, id).to.match(/^\d/);
    }
  });

  it('has one endpoint for each path, and every operation on one of them', () => {
    expect(endpoints).to.have.lengthOf(new Set(endpoints.map(({ family, path }) => family + path)).size);
    expect(endpoints.flatMap(endpoint => endpoint.operations.map(({ id }) => id)).sort()).to.deep.equal(
      operations.map(({ id }) => id).sort(),
    );
  });

  it('has a schema with a rule for each body, and declares each rule that a schema names', () => {
    for (const { id, body, replies, rules: own } of operations) {
      for (const schema of [body?.schema, ...replies.map(reply => reply.body)])
        for (const rule of rulesNamedIn(schema)) expect(own, `${id} ${rule}`).to.have.property(rule);
      if (body !== undefined) expect(rulesNamedIn(body.schema), id).to.not.deep.equal([]);
      if (body?.alias !== undefined) expect(own, id).to.have.property(body.alias.rule);
    }
  });

  it('has the same text for a rule in every operation', () => {
    for (const { id, rules: own } of operations)
      for (const [rule, text] of Object.entries(own)) expect(text, `${id} ${rule}`).to.deep.equal(rules[rule]);
  });

  it('every alias, list and heading names an existing reading', () => {
    for (const { heading, body } of operations) {
      if (heading) expect(isReading(heading.gap, heading.reading)).to.equal(true);
      if (body?.alias) expect(isReading(body.alias.gap, body.alias.reading)).to.equal(true);
      if (body?.emptyLists) expect(isReading(body.emptyLists.gap, body.emptyLists.absent)).to.equal(true);
    }
  });
});

describe('resources of Confluence and Jira', () => {
  it('have an id of their own, name their documentation, and have examples of their own shapes', () => {
    expect(new Set(operationIds).size).to.equal(operationIds.length);
    for (const { id, replies, examples, source } of restResources) {
      expect(source, id).to.match(/^https:\/\/developer\.atlassian\.com\/server\//);
      expect(examples, id).not.to.deep.equal([]);
      for (const { title, response } of examples) {
        const reply = replies.find(one => one.status === response.status);
        if (reply?.body !== undefined) expect(schemaErrors(reply.body, response.body), title).to.deep.equal([]);
      }
    }
  });
});

describe('the ledger of gaps', () => {
  it('each gap asks a question and names its place; each reading is explained', () => {
    for (const id of gapIds) {
      const { asks, source, readings: all } = gapSpec(id);
      expect(asks, id).to.match(/\?$/);
      expect(source, id).to.match(/^\d/);
      for (const [name, means] of all) expect(means, `${id}=${name}`).to.not.equal('');
    }
  });

  it('knows its own names and no others', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '', 'Wiki-Prefix'])
      expect(isGapId(name)).to.equal(false);
    expect(isReading('unknown-user', '404')).to.equal(true);
    for (const name of ['made', '', 'SKIP', '/wiki']) expect(isReading('unknown-user', name)).to.equal(false);
  });

  it('accepts a literal for context-path only', () => {
    for (const literal of ['/wiki', '/a.b-c_D9', '/a/b']) expect(isReading('context-path', literal)).to.equal(true);
    for (const other of ['wiki', '/', '/a//b', '/ä', '/a b', '/wiki/', '/%20', '/wiki\n'])
      expect(isReading('context-path', other), other).to.equal(false);
  });

  it('later readings override earlier ones', () => {
    const laid = layReadings(defaultReadings, { 'unknown-user': '400', 'no-change': '409' }, undefined, {
      'unknown-user': 'skip',
    });
    expect(laid).to.deep.equal({ ...defaultReadings, 'unknown-user': 'skip', 'no-change': '409' });
    expect(defaultReadings['unknown-user']).to.equal('404');
  });
});

describe('the table of refusals', () => {
  it('names existing rules and readings, and has a status for each', () => {
    const ofServer: Partial<Record<string, number>> = { 'store-unavailable': 503, 'no-room': 507 }; // all others are about the request
    for (const code of Object.keys(refusals) as RefusalCode[]) {
      const { status, rules: grounds = [], gap, unless = [], statusGap = gap, title } = refusalSpec(code);
      expect(title, code).to.not.equal('');
      for (const rule of grounds) expect(rules, code).to.have.property(rule);
      expect(gap === undefined ? [] : readingNames(gap), code).to.include.members([...unless]);
      if (status === 'as-read') {
        const statuses = readingNames(statusGap as GapId).filter(name => /^\d{3}$/.test(name));
        expect(statuses, code).to.have.lengthOf.at.least(2);
      } else if (code in ofServer) expect(status).to.equal(ofServer[code]);
      else expect(status, code).to.be.within(400, 499);
    }
  });
});

function rulesNamedIn(json: JsonSchema | undefined): string[] {
  return [...JSON.stringify(json ?? {}).matchAll(/"x-rule":"([^"]+)"/g)].map(([, rule = '']) => rule);
}

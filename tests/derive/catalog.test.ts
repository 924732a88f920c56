// Holds the catalog against what people outside rely on: the ids of operations, rules, gaps and readings, written out here once more.
import { expect } from 'chai';
import { type RefusalCode, refusalSpec, refusals } from '../../server/domain/refusals.js';
import { operations, rules } from '../../server/operations/catalog.js';
import { defaultReadings, gapIds, gapSpec, isGapId, isReading, readingNames } from '../../server/operations/gaps.js';
import type { JsonSchema } from '../../server/operations/schema.js';

const expectedOperations = [
  'groups.add-users POST /groups/add-users',
  'groups.remove-users POST /groups/remove-users',
  'groups.set-users POST /groups/set-users',
  'permissions.edit-add PUT /permissions/edit/{pageId}',
  'permissions.edit-remove DELETE /permissions/edit/{pageId} (POST: heading-methods=unambiguous)',
  'permissions.view-add PUT /permissions/view/{pageId} (POST: view-post=add)',
  'permissions.view-remove DELETE /permissions/view/{pageId} (POST: view-post=remove)',
  'permissions.all-remove DELETE /permissions/all/{pageId} (POST: heading-methods=unambiguous)',
  'spaces.add-sidebar-link POST /spaces/add-sidebar-link',
  'spaces.copy POST /spaces/copySpace',
  'spaces.is-unique POST /spaces/isUnique',
  'spaces.replace-in-page POST /spaces/replaceInPage',
  'ppf.push POST /push',
  'ppf.pull POST /pull',
];

const expectedRules: Readonly<Record<string, string>> = {
  address: 'context-path no-context-path extension-path ppf-path json-bodies case-sensitive',
  expand: 'list nested',
  groups: 'body add-users remove-users set-users',
  permissions: 'body edit-add edit-remove view-add view-remove all-remove heading-method groups-field',
  spaces:
    'sidebar-link copy copy-query-only copy-default-admin copy-remove-admin copy-keep-metadata is-unique replace-list replace-body replace-title',
  ppf: 'push pull body-types needs-recipient needs-item invalid-is-400 processed-is-200 success-flag failure-message authenticated admin-only licensed-only',
};

const expectedReadings: Readonly<Record<string, string>> = {
  'wiki-prefix': 'any rest rest-api bare',
  'context-path': 'any none',
  'heading-methods': 'unambiguous none',
  'view-post': 'reject add remove',
  'all-group-field': 'groups-or-group groups-only',
  'wiki-auth': 'open authenticated admin',
  'wiki-success': 'object empty no-content messages',
  'wiki-error-body': 'confluence messages empty',
  'unknown-user': '404 400 skip',
  'unknown-group': '404 400 skip create',
  'unknown-page': '404 400',
  'unknown-space': '404 400',
  'missing-field': '400 empty',
  'unknown-field': 'ignore 400',
  'no-change': 'ok 409',
  'set-users-empty': 'clears 400',
  'sidebar-duplicate': 'append replace 409',
  'target-space-exists': '409 400',
  'space-key-format': 'alphanumeric any',
  'default-space-admin': 'first-admin caller',
  'copied-metadata-when-not-kept': 'caller-now admin-now',
  'is-unique-match': 'either both key-only',
  'is-unique-answer': 'boolean inverted object status',
  'replace-scope': 'all first',
  'replace-order': 'sequential simultaneous',
  'replace-not-found': 'ok 404',
  'replace-title-clash': '409 400 allow',
  'expand-unknown': 'ignore 400',
  'ppf-effect': 'push-adds record-only',
  'ppf-anonymous': '403 401',
  'bad-credentials': '401 403',
  'ppf-check-order': '403-first 400-first',
  'ppf-empty-arrays': 'absent present',
  'ppf-unknown-item': 'message 400',
  'ppf-partial': 'apply-rest all-or-nothing',
  'ppf-invisible-item': 'message push-anyway',
  'ppf-no-change': 'ok message',
  'ppf-error-body': 'jira messages empty',
  'content-type': 'lenient 415',
};

describe('the catalog', () => {
  it('holds the operations of the document, with their methods and paths', () => {
    const found = operations.map(({ id, method, path, heading }) => {
      const also = heading === undefined ? '' : ` (${heading.method}: ${heading.gap}=${heading.reading})`;
      return `${id} ${method} ${path}${also}`;
    });
    expect(found).to.deep.equal(expectedOperations);
    for (const { id, family } of operations) expect(family, id).to.equal(id.startsWith('ppf.') ? 'ppf' : 'wiki');
  });

  it('holds just the rules that outsiders know by id', () => {
    const expected = Object.entries(expectedRules).flatMap(([about, names]) =>
      names.split(' ').map(name => `${about}.${name}`),
    );
    expect(Object.keys(rules)).to.have.members(expected);
    for (const [id, { says, source }] of Object.entries(rules)) {
      expect(says, id).to.match(/^\S.{10,}\.$/);
      expect(source, id).to.match(/^\d/);
    }
  });

  it('holds just the gaps and readings that outsiders know by name, the default first', () => {
    const found = Object.fromEntries(gapIds.map(id => [id, readingNames(id).join(' ')]));
    expect(found).to.deep.equal(expectedReadings);
    for (const id of gapIds) expect(defaultReadings[id], id).to.equal(expectedReadings[id]?.split(' ')[0]);
  });

  it('takes any literal context path as a reading, and nothing else beside the list', () => {
    expect(isReading('context-path', '/wiki')).to.equal(true);
    expect(isReading('context-path', 'wiki')).to.equal(false);
    expect(isReading('context-path', '/a/b')).to.equal(false);
    expect(gapIds.filter(id => gapSpec(id).open !== undefined)).to.deep.equal(['context-path']);
  });
});

describe('what the catalog refers to', () => {
  it('is there, for the grounds of every refusal and gaps that there are', () => {
    for (const code of Object.keys(refusals) as RefusalCode[]) {
      const { rules: grounds = [], gap, unless = [], status } = refusalSpec(code);
      for (const rule of grounds) expect(rules, `${code} ${rule}`).to.have.property(rule);
      if (gap === undefined) {
        expect(unless, code).to.deep.equal([]);
        expect(status, code).to.be.a('number');
      } else {
        expect(isGapId(gap), `${code} ${gap}`).to.equal(true);
        if (isGapId(gap)) expect(readingNames(gap), code).to.include.members([...unless]);
      }
    }
  });

  it('is declared, for each rule that a schema of an operation names', () => {
    for (const { id, body, replies, rules: own } of operations) {
      for (const schema of [body?.schema, ...replies.map(reply => reply.body)])
        for (const rule of rulesNamedIn(schema?.json)) expect(own, `${id} ${rule}`).to.have.property(rule);
      if (body?.alias !== undefined) expect(own, id).to.have.property(body.alias.rule);
      if (body !== undefined) expect(rulesNamedIn(body.schema.json), id).to.not.deep.equal([]);
    }
  });

  it('is the same text in every operation that keeps a rule', () => {
    for (const { id, rules: own } of operations)
      for (const [rule, text] of Object.entries(own)) expect(text, `${id} ${rule}`).to.deep.equal(rules[rule]);
  });

  it('is shown by an example of every operation', () => {
    for (const { id, examples } of operations) expect(examples.length, id).to.be.greaterThan(0);
  });
});

function rulesNamedIn(json: JsonSchema | undefined): string[] {
  const text = JSON.stringify(json ?? {});
  return [...text.matchAll(/"x-rule":"([^"]+)"/g)].map(([, rule = '']) => rule);
}

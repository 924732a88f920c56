// Operations with their paths, and the rules, compared with fixed lists; the shape of each gap and refusal.
import { expect } from 'chai';
import { type RefusalCode, refusalSpec, refusals } from '../../../server/domain/refusals.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
import { operationOf, operations, rules } from '../../../server/operations/catalog/catalog.js';
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

const paths = {
  'groups.add-users': 'POST /groups/add-users',
  'groups.remove-users': 'POST /groups/remove-users',
  'groups.set-users': 'POST /groups/set-users',
  'permissions.edit-add': 'PUT /permissions/edit/{pageId}',
  'permissions.edit-remove': 'DELETE POST(heading-methods=unambiguous) /permissions/edit/{pageId}',
  'permissions.view-add': 'PUT POST(view-post=add) /permissions/view/{pageId}',
  'permissions.view-remove': 'DELETE POST(view-post=remove) /permissions/view/{pageId}',
  'permissions.all-remove': 'DELETE POST(heading-methods=unambiguous) /permissions/all/{pageId}',
  'spaces.add-sidebar-link': 'POST /spaces/add-sidebar-link',
  'spaces.copy': 'POST /spaces/copySpace',
  'spaces.is-unique': 'POST /spaces/isUnique',
  'spaces.replace-in-page': 'POST /spaces/replaceInPage',
  'ppf.push': 'POST /push',
  'ppf.pull': 'POST /pull',
};

const ruleIds =
  `address.context-path address.no-context-path address.extension-path address.ppf-path address.json-bodies
  address.case-sensitive expand.list expand.nested groups.body groups.add-users groups.remove-users groups.set-users
  permissions.body permissions.edit-add permissions.edit-remove permissions.view-add permissions.view-remove
  permissions.all-remove permissions.heading-method permissions.groups-field spaces.sidebar-link spaces.copy
  spaces.copy-query-only spaces.copy-default-admin spaces.copy-remove-admin spaces.copy-keep-metadata spaces.is-unique
  spaces.replace-list spaces.replace-body spaces.replace-title ppf.push ppf.pull ppf.body-types ppf.needs-recipient
  ppf.needs-item ppf.invalid-is-400 ppf.processed-is-200 ppf.success-flag ppf.failure-message ppf.authenticated
  ppf.admin-only ppf.licensed-only`.split(/\s+/);

describe('the catalog', () => {
  it('has the operations of the design, with their methods and paths', () => {
    const written = operations.map(({ id, method, heading, path }) => [
      id,
      [method, ...(heading ? [`${heading.method}(${heading.gap}=${heading.reading})`] : []), path].join(' '),
    ]);
    expect(Object.fromEntries(written)).to.deep.equal(paths);
    expect(operationOf('groups.add-users')?.id).to.equal('groups.add-users');
    for (const none of ['', 'groups', '__proto__', 'Groups.add-users']) expect(operationOf(none)).to.equal(undefined);
  });

  it('has the rules of the design, each with its text and its place in the document', () => {
    expect(Object.keys(rules).sort()).to.deep.equal([...ruleIds].sort());
    for (const [id, { says, source }] of Object.entries(rules)) {
      expect(says, id).to.match(/^\S.*\.$/);
      expect(source, id).to.match(/^\d/);
    }
  });

  it('has one endpoint for each path, and every operation on one of them', () => {
    expect(endpoints).to.have.lengthOf(new Set(endpoints.map(({ family, path }) => family + path)).size);
    expect(endpoints.flatMap(endpoint => endpoint.operations.map(({ id }) => id)).sort()).to.deep.equal(
      Object.keys(paths).sort(),
    );
  });

  it('every body, or every element of one, names its rule', () => {
    for (const { id, body, rules: own } of operations) {
      if (body === undefined) continue;
      const json = body.schema;
      const rule = json['x-rule'] ?? (json.items as { 'x-rule'?: string } | undefined)?.['x-rule'];
      expect(own, id).to.have.property(String(rule));
    }
  });

  it('every alias, list and heading names an existing reading', () => {
    for (const { heading, body } of operations) {
      if (heading) expect(isReading(heading.gap, heading.reading)).to.equal(true);
      if (body?.alias) expect(isReading(body.alias.gap, body.alias.reading)).to.equal(true);
      if (body?.emptyLists) expect(isReading(body.emptyLists.gap, body.emptyLists.absent)).to.equal(true);
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
    for (const name of ['create', '', 'SKIP', '/wiki']) expect(isReading('unknown-user', name)).to.equal(false);
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
  for (const code of Object.keys(refusals) as RefusalCode[]) {
    it(`${code} names existing rules and an existing gap, and has a status`, () => {
      const { status, rules: named = [], gap, statusGap = gap, title } = refusalSpec(code);
      expect(title).to.not.equal('');
      for (const rule of named) expect(ruleIds).to.include(rule);
      if (gap !== undefined) expect(gapIds as readonly string[]).to.include(gap);
      if (status === 'as-read') {
        const numbers = (statusGap === undefined ? [] : readingNames(statusGap as GapId)).filter(name =>
          /^\d{3}$/.test(name),
        );
        expect(numbers).to.have.lengthOf.at.least(2);
      } else {
        const ofServer = { 'store-unavailable': 503, 'no-room': 507 }[code as string]; // all others are about the request
        if (ofServer === undefined) expect(status).to.be.within(400, 499);
        else expect(status).to.equal(ofServer);
      }
    });
  }
});

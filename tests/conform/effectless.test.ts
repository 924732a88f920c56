// A server that says that it has done what it was asked, and has not, is never found to conform to the rule that asks for it.
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import type { SomeReadings } from '../../server/operations/gaps.js';
import { conformed, type Prepared, prepared } from '../support/conforming.js';
import { bundleFolder, faulty } from '../support/faulty-server.js';
import { asForeign } from '../support/outside.js';

/** What each operation brings about, by the rules that say so. */
const effects: Readonly<Record<string, readonly string[]>> = {
  'groups.add-users': ['groups.add-users'],
  'groups.remove-users': ['groups.remove-users'],
  'groups.set-users': ['groups.set-users'],
  'permissions.edit-add': ['permissions.edit-add'],
  'permissions.edit-remove': ['permissions.edit-remove'],
  'permissions.view-add': ['permissions.view-add'],
  'permissions.view-remove': ['permissions.view-remove'],
  'permissions.all-remove': ['permissions.all-remove'],
  'spaces.add-sidebar-link': ['spaces.sidebar-link'],
  'spaces.copy': ['spaces.copy', 'spaces.copy-default-admin', 'spaces.copy-remove-admin', 'spaces.copy-keep-metadata'],
  'spaces.replace-in-page': ['spaces.replace-body', 'spaces.replace-title'],
  'ppf.push': ['ppf.push'],
  'ppf.pull': ['ppf.pull'],
};
/** The first hides most effects, the second shows most of them. */
const servers: ReadonlyArray<readonly [name: string, readings: SomeReadings]> = [
  ['by default', {}],
  [
    'where it refuses what changes nothing',
    { 'no-change': '409', 'ppf-no-change': 'message', 'sidebar-duplicate': '409', 'replace-not-found': '404' },
  ],
];

describe('a server without effect', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });
  after(() => rmSync(bundleFolder, { recursive: true, force: true }));

  for (const [name, readings] of servers) {
    for (const [operation, rules] of Object.entries(effects)) {
      it(`is never said to conform to ${rules.join(' or ')}: ${operation} does nothing, ${name}`, async () => {
        const fake = await faulty({
          rule: operation,
          says: 'it changes nothing',
          file: 'engine/request/perform.ts',
          find: 'facts: isRefusal ? [] : decision.facts,',
          replace: `facts: isRefusal || operation?.id === '${operation}' ? [] : decision.facts,`,
          readings,
        });
        const { verdicts } = await conformed(asForeign(fake), plan);
        fake.end();
        const believed = verdicts.filter(({ rule, judgement }) => rules.includes(rule) && judgement === 'conforms');
        expect(
          believed.map(({ rule, evidence }) => `${rule}: ${evidence.map(({ played }) => played.step.say).join(' / ')}`),
        ).to.deep.equal([]);
      });
    }
  }
});

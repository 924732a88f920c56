// From failed steps to broken rules: several faults at once, ambiguous faults, and faults that are not in the catalogue.
import { expect } from 'chai';
import type { LikelyFault } from '../../../harness/conform/diagnosis.js';
import { faults } from '../../../harness/conform/faults/catalogue.js';
import { at, both, servesAs, sum } from '../../../harness/conform/faults/fault-changes.js';
import type { ServerFault } from '../../../harness/conform/faults/server-fault.js';
import { ruleIds } from '../../../harness/conform/suite-run.js';
import { verdictsOn } from '../../../harness/conform/verdicts.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import type { Played } from '../../../server/scenario/play/player.js';
import { conformed, rulesThat, scenariosFor, serverWith } from '../../support/other-servers/conforming.js';

const keepsFormer = servesAs(at('groups/set-users'), '/set-users', '/add-users');

const fault = (rule: string): ServerFault => ({ rules: [rule], says: `breaks ${rule}`, change: {} });
const failedStep = (rule: string, index: number): { readonly file: string; readonly played: Played } => ({
  file: `${rule}.yaml`,
  played: {
    index,
    line: 1,
    step: { say: `Step ${index}`, call: 'ppf.push', proves: [rule] },
    outcome: 'failed',
    differences: [{ of: 'status', pointer: '', expected: 200, found: 500, says: 'is 500, not 200' }],
    unchecked: [],
    duration: 1,
  },
});

describe('the catalogue of faults', () => {
  it('has a rule and a sentence for each, and a fault for each operation', () => {
    expect(new Set(faults.map(({ change }) => change)).size).to.equal(faults.length);
    for (const { says, rules } of faults) {
      expect(says).to.match(/^[a-z].*[^.]$/);
      expect(ruleIds).to.include.members([...rules]);
    }
    for (const { rules } of operations) expect(faults.flatMap(one => one.rules)).to.include.oneOf(Object.keys(rules));
  });
});

describe('the diagnosis', () => {
  it('names two faults at once, each with its evidence', async () => {
    const rules = ['groups.set-users', 'permissions.edit-add'];
    const viewsInstead = both(at('permissions/edit'), ({ method }) => method === 'PUT');
    const change = sum(keepsFormer, servesAs(viewsInstead, '/edit', '/view'));
    const found = await conformed(serverWith(change), scenariosFor(rules), rules);
    expect(rulesThat('contradicts', found)).to.have.members(rules);
    for (const { rule, evidence } of found.verdicts)
      expect(
        evidence.flatMap(({ played }) => played.step.proves ?? []),
        rule,
      ).to.include(rule);
  });

  it('blames neither of two faults that explain the steps equally well', () => {
    const steps = [failedStep('ppf.push', 0)];
    const explanations: LikelyFault[] = [{ faults: [fault('ppf.push'), fault('ppf.pull')], steps }];
    const verdicts = verdictsOn(['ppf.push', 'ppf.pull'], [], undefined, { explanations, failed: steps });
    expect(verdicts.map(({ judgement }) => judgement)).to.deep.equal(['undetermined', 'undetermined']);
    expect(verdicts[0]?.reason).to.include('breaks ppf.push').and.to.include('ppf.pull');
  });

  it('blames the rule that most first failed steps are about if no fault fits', () => {
    const failed = [failedStep('ppf.push', 0), failedStep('ppf.push', 1), failedStep('ppf.pull', 0)];
    const rules = ['ppf.push', 'ppf.pull', 'ppf.admin-only'];
    const verdicts = verdictsOn(rules, [], undefined, { explanations: [], failed });
    expect(rulesThat('contradicts', { verdicts })).to.deep.equal(['ppf.push']);
    expect(verdicts[0]?.evidence.map(({ played }) => played.index)).to.deep.equal([0, 0]);
  });
});

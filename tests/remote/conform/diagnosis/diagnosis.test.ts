// The smallest explanation of the failures, from steps made by hand.
import { expect } from 'chai';
import type { Comparison, Deviation } from '../../../../server/remote/conform/diagnosis/comparison.js';
import { diagnose, type EffectOf } from '../../../../server/remote/conform/diagnosis/diagnosis.js';

const pushed = ['ppf.body-types', 'ppf.push', 'ppf.processed-is-200', 'ppf.success-flag'];
let index = 0;

/** A push that a correct server answers with 200, about one rule. */
function push(rule: string, deviation?: Deviation, status = 200, pointer = ''): Comparison {
  const isFailed = deviation !== undefined;
  return {
    file: `${rule}.yaml`,
    family: 'ppf',
    operation: 'ppf.push',
    rules: pushed,
    gaps: [],
    due: 200,
    report: '',
    ...(isFailed && { deviation }),
    played: {
      index: index++,
      line: 1,
      step: { say: 'a push', call: 'ppf.push', proves: [rule], expect: { status: 200, body: { success: true } } },
      outcome: isFailed ? 'failed' : 'passed',
      differences: isFailed ? [{ of: 'body', pointer, expected: 1, found: 2, says: 'differs' }] : [],
      unchecked: [],
      duration: 1,
      sent: { method: 'POST', path: '/rest/cwx-ppf/latest/push', headers: {}, body: '{"users":["a"],"filters":[1]}' },
      received: { status, headers: {}, text: status < 400 ? '{"success":false,"messages":[]}' : ERRORS },
    },
  };
}

const ERRORS = '{"errorMessages":["no"],"errors":{}}';
const none = { shown: new Set<number>(), alike: new Set<number>() };
const named = (steps: readonly Comparison[], effect: EffectOf = () => none) => [
  ...diagnose(steps, effect).broken.keys(),
];

describe('a diagnosis', () => {
  it('names the one rule that explains the failures of steps about many', () => {
    const steps = ['ppf.push', 'address.json-bodies', 'ppf.needs-item', 'expand.list'].map(rule =>
      push(rule, 'status', 201),
    );
    expect(named(steps)).to.deep.equal(['ppf.processed-is-200']);
  });

  it('names the rule of the failed step if no other rule is more at stake', () => {
    expect(named([push('ppf.body-types', 'refused', 400), push('ppf.push'), push('ppf.push')])).to.deep.equal([
      'ppf.body-types',
    ]);
  });

  const answering = (step: Comparison, status: number, text: string): Comparison => ({
    ...step,
    played: { ...step.played, received: { status, headers: {}, text } },
  });

  it('tells the two answers of a question apart: that one is right speaks for the other no more than it has to', () => {
    const asking = (rule: string, due: 'true' | 'false', deviation?: Deviation): Comparison => {
      const step = push(rule, deviation);
      const sent = { method: 'GET', path: '/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=A', headers: {} };
      const expected = { status: 200, body: due === 'true' };
      return {
        ...step,
        family: 'wiki',
        operation: 'spaces.is-unique',
        rules: ['spaces.is-unique'],
        report: due,
        played: { ...step.played, step: { ...step.played.step, expect: expected }, sent },
      };
    };
    const free = Array.from({ length: 16 }, () => asking('spaces.is-unique', 'true'));
    const taken = ['spaces.copy', 'spaces.is-unique', 'spaces.copy'].map(rule => asking(rule, 'false', 'content'));
    const found = diagnose([...free, asking('spaces.is-unique', 'false'), ...taken], () => none);
    expect([...found.broken.keys()]).to.deep.equal(['spaces.is-unique']);
    expect(found.cost).to.be.below(12);
  });

  it('names the status where a report comes with that of a refusal', () => {
    const reported = answering(push('ppf.body-types', 'refused'), 400, '{"success":false,"messages":["no bob"]}');
    expect(named([reported, push('ppf.push'), push('ppf.push')])).to.deep.equal(['ppf.processed-is-200']);
  });

  it('names the status of refusals where what is invalid is refused in words, and the needs where it is done', () => {
    const invalid = (rule: string, text: string): Comparison => ({
      ...answering(push(rule, 'accepted'), 200, text),
      due: 400,
      rules: [rule, 'ppf.invalid-is-400'],
    });
    const needs = ['ppf.needs-recipient', 'ppf.needs-item'];
    const refused = Array.from({ length: 10 }, (): Comparison => {
      const { played, ...step } = answering(push('ppf.body-types'), 400, ERRORS);
      const asked = { ...played.step, expect: { status: 400 } };
      return { ...step, due: 400, rules: ['ppf.body-types', 'ppf.invalid-is-400'], played: { ...played, step: asked } };
    });
    const answered = (text: string) =>
      named([...refused, ...needs.flatMap(rule => [invalid(rule, text), invalid(rule, text)])]);
    expect(answered('{"success":false,"messages":["Nobody is named."]}')).to.deep.equal(['ppf.invalid-is-400']);
    expect(answered('{"success":true,"messages":[]}')).to.have.members(needs);
  });

  it('names the form of bodies where an answer is no JSON', () => {
    const failed = ['ppf.push', 'ppf.success-flag'].map(rule =>
      answering(push(rule, 'content', 200, ''), 200, '<success>true</success>'),
    );
    expect(named(failed)).to.deep.equal(['address.json-bodies']);
  });

  it('has to explain an answer of a probe that fits no reading, and no other answer that nothing is at stake in', () => {
    const { played, ...rest } = push('', 'refused otherwise');
    const strange = {
      ...rest,
      operation: '',
      rules: [],
      due: 404,
      played: { ...played, step: { say: 'a look below a path' } },
    };
    const unexplained = (step: Comparison) => diagnose([step], () => none).unexplained.length;
    expect([unexplained(strange), unexplained({ ...strange, isDoubtful: true })]).to.deep.equal([0, 1]);
  });

  it('names the effect that is missing wherever it would show, and not the flag that shows it', () => {
    const failed = [1, 2, 3].map(() => push('ppf.push', 'content', 200, '/success'));
    const steps = [...failed, ...[1, 2, 3, 4].map(() => push('ppf.success-flag'))];
    const shown = new Set(failed.map(({ played }) => played.index));
    expect(named(steps, rule => (rule === 'ppf.push' ? { shown, alike: shown } : none))).to.deep.equal(['ppf.push']);
  });

  it('names the need of one of two lists if all requests with only the other are refused, whatever else they are about', () => {
    const about = (rule: string, body: string, deviation?: Deviation) => {
      const step = push(rule, deviation, deviation === undefined ? 200 : 400);
      const sent = { method: 'POST', path: '/rest/cwx-ppf/latest/push', headers: {}, body };
      return { ...step, played: { ...step.played, sent } };
    };
    const refused = ['groups.add-users', 'groups.set-users', 'ppf.needs-recipient', 'ppf.push'].map(rule =>
      about(rule, '{"groups":["a"],"filters":[1]}', 'refused'),
    );
    const served = ['ppf.push', 'ppf.body-types', 'ppf.push', 'ppf.needs-recipient'].map(rule =>
      about(rule, '{"users":["a"],"filters":[1]}'),
    );
    expect(named([...refused, ...served])).to.deep.equal(['ppf.needs-recipient']);
  });

  it('names a rule for the steps of files without it, if what it leaves behind explains them', () => {
    const failed = (['permissions.edit-add', 'permissions.view-add', 'permissions.all-remove'] as const).map(
      operation => {
        const step = push(operation, 'unserved', 404);
        const sent = { method: 'PUT', path: '/rest/cwxapiextension/latest/permissions/1', headers: {} };
        const played = { ...step.played, step: { ...step.played.step, call: operation }, sent };
        return { ...step, family: 'wiki' as const, operation, rules: [operation], played };
      },
    );
    const all = new Set(failed.map(({ played }) => played.index));
    const effect: EffectOf = rule => (rule === 'spaces.copy' ? { shown: all, alike: all } : none);
    const found = (leaving: readonly string[]) => [...diagnose(failed, effect, new Set(leaving)).broken.keys()];
    expect(found(['spaces.copy'])).to.deep.equal(['spaces.copy']);
    expect(found([])).not.to.include('spaces.copy');
  });

  it('puts the steps about the rule first', () => {
    const steps = [push('expand.list', 'status', 201), push('ppf.processed-is-200', 'status', 201)];
    const [found] = diagnose(steps, () => none).broken.values();
    expect(found?.map(({ played }) => played.step.proves?.[0])).to.deep.equal(['ppf.processed-is-200', 'expand.list']);
  });

  it('names nothing if nothing failed', () => {
    expect(diagnose([push('ppf.push')], () => none)).to.deep.include({ unexplained: [], cost: 0 });
  });
});

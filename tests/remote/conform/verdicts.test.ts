// Turns played steps into a verdict for each rule, by the preconditions of each step and by what it can show.
import { expect } from 'chai';
import { emptyWorld } from '../../../server/domain/world.js';
import type { PlayedFile } from '../../../server/remote/conform/played-file.js';
import { rulesMeant } from '../../../server/remote/conform/suite.js';
import { verdictsOn } from '../../../server/remote/conform/verdicts.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import type { Played } from '../../../server/scenario/play/player.js';

type PlayedStep = Partial<Played> & {
  readonly status?: number;
  readonly proves?: readonly string[];
  readonly say?: string;
};

const differs = { of: 'status', pointer: '', expected: 200, found: 500, says: 'is 500, not 200' } as const;

/** A file with these played steps: by default passed calls of the admin. */
function file(...described: readonly PlayedStep[]): PlayedFile {
  const steps = described.map(
    ({ proves, say = 'a step' }): Step => ({ say, as: 'admin', call: 'ppf.push', ...(proves && { proves }) }),
  );
  const played = described.map(({ status = 200, proves: _, say: __, outcome = 'passed', ...rest }, index): Played => {
    const step = steps[index];
    if (step === undefined) throw new Error('there is a step for each');
    return {
      index,
      line: index + 1,
      step,
      outcome,
      duration: 1,
      differences: outcome === 'failed' ? [differs] : [],
      unchecked: [],
      ...(outcome !== 'skipped' && { received: { status, headers: {}, text: '' } }),
      ...rest,
    };
  });
  const loaded = {
    origin: { scenario: 'x', world: emptyWorld, readings: {} },
    title: '',
    about: '',
    files: ['x.yaml'],
  };
  return {
    loaded: { ...loaded, steps, lineOf: () => 1 },
    played,
    unplayable: new Set(),
    unsteady: new Set(),
    duration: 1,
  };
}
const R = 'ppf.push';
const on = (...files: readonly PlayedFile[]) => {
  const [verdict] = verdictsOn([R], files, 'admin');
  return [verdict?.judgement, verdict?.reasons[0]];
};

describe('a verdict', () => {
  it('is conforms after a passed step that shows everything it is about', () => {
    expect(on(file({}, { proves: [R] }))).to.deep.equal(['conforms', undefined]);
  });

  it('is contradicts after a failed step, whatever passed before', () => {
    const [verdict] = verdictsOn(
      [R],
      [file({ proves: [R] }, { proves: [R], outcome: 'failed', status: 500 })],
      'admin',
    );
    expect(verdict?.judgement).to.equal('contradicts');
    expect(verdict?.evidence.map(({ file: name, played }) => [name, played.line])).to.deep.equal([['x.yaml', 2]]);
    expect(verdict?.duration).to.equal(2);
  });

  it('is undetermined if the effect cannot be seen', () => {
    expect(on(file({ proves: [R], unchecked: ['then', 'proves'] }))).to.deep.equal([
      'undetermined',
      'what it changes cannot be seen in any documented answer',
    ]);
    expect(on(file({ proves: [R], unchecked: ['then'] }, { proves: [R] }))[0]).to.equal('conforms');
  });

  it('is undetermined after a failed precondition, and later steps do not count', () => {
    const ground = { say: 'The ground', outcome: 'failed', status: 500 } as const;
    expect(on(file(ground, { proves: [R], outcome: 'failed' }))).to.deep.equal([
      'undetermined',
      'it takes a server where "The ground" holds; here the status is 500, not 200',
    ]);
    expect(on(file({ proves: [R] }, ground, { proves: [R], outcome: 'failed' }))[0]).to.equal('conforms');
  });

  it('ignores a step about another reading', () => {
    const why = 'it needs no-change=409, but this server follows ok';
    const other = { proves: [R], outcome: 'skipped', why } as const;
    expect(on(file(other))).to.deep.equal(['undetermined', why]);
    expect(on(file(other, { proves: [R] }))[0]).to.equal('conforms');
    expect(on(file({ outcome: 'skipped', why }, { proves: [R] }))[0]).to.equal('conforms');
  });

  it('is undetermined if the precondition cannot be sent there', () => {
    const why = 'the map names no group "customers"';
    const one = { ...file({ outcome: 'skipped', why }, { proves: [R] }), unplayable: new Set([0]) };
    expect(on(one)).to.deep.equal(['undetermined', why]);
  });

  it('is undetermined for the steps after the server stopped answering', () => {
    const one = file({}, { proves: [R] });
    expect(on({ ...one, played: one.played.slice(0, 1), ended: 'the server gave no answer' })).to.deep.equal([
      'undetermined',
      'the server gave no answer',
    ]);
  });

  it('ignores a failure that a correct server would show as well', () => {
    const one = file({ proves: [R], outcome: 'failed', status: 500 }, { proves: [R] });
    const [first] = verdictsOn([R], [one], 'admin', {
      unsound: new Map([['x.yaml', new Set([0])]]),
      blind: new Set(),
    });
    expect([first?.judgement, first?.reasons]).to.deep.equal([
      'conforms',
      ['as it is written it fits neither the readings nor the names of this server'],
    ]);
  });

  it('is undetermined if the step would also pass without any effect', () => {
    const one = file({ proves: [R] }, { proves: [R] });
    const [first] = verdictsOn([R], [one], 'admin', { unsound: new Map(), blind: new Set(['x.yaml']) });
    expect([first?.judgement, first?.reasons]).to.deep.equal([
      'undetermined',
      ['what it changes cannot be seen in any documented answer'],
    ]);
  });

  it('is contradicts all the same if something fails that should pass', () => {
    const one = file({ proves: [R] }, { proves: [R], outcome: 'failed', status: 500 });
    const [first] = verdictsOn([R], [one], 'admin', { unsound: new Map(), blind: new Set(['x.yaml']) });
    expect(first?.judgement).to.equal('contradicts');
  });

  it('lists first the reason that can be fixed', () => {
    const unseen = { proves: [R], unchecked: ['then'] } as const;
    const skipped = {
      proves: [R],
      outcome: 'skipped',
      why: 'no password is known for carol: give --as carol:password',
    } as const;
    const one = { ...file(unseen, skipped, unseen), unplayable: new Set([1]) };
    const [verdict] = verdictsOn([R], [one], 'admin');
    expect(verdict?.reasons).to.deep.equal([
      'no password is known for carol: give --as carol:password',
      'what it changes cannot be seen in any documented answer',
    ]);
  });

  it('is undetermined if its rule would explain the failures nearly as well as the one that is blamed', () => {
    const others = ['ppf.pull', 'expand.list'];
    const one = file({ proves: [R], outcome: 'failed', status: 500 }, ...others.map(rule => ({ proves: [rule] })));
    const steps = one.played.slice(0, 1).map(played => ({
      file: 'x.yaml',
      played,
      family: 'ppf' as const,
      operation: 'ppf.push',
      rules: [R],
      gaps: [],
      due: 200,
      report: '',
    }));
    const judged = (more: number) => {
      const rival = { rules: ['ppf.pull'], more };
      const diagnosis = { broken: new Map([[R, steps]]), unexplained: [], cost: 6, rival };
      return verdictsOn(
        [R, ...others],
        [
          { ...one, played: [] },
          { ...one, played: one.played.slice(1) },
        ],
        'admin',
        {
          unsound: new Map(),
          blind: new Set(),
          diagnosis,
        },
      ).map(({ judgement, reasons }) => [judgement, ...reasons]);
    };
    expect(judged(0.5)).to.deep.equal([
      ['contradicts'],
      ['undetermined', 'if it were broken, that would explain nearly as well what failed as ppf.push does'],
      ['conforms'],
    ]);
    expect(judged(1)).to.deep.equal([['contradicts'], ['conforms'], ['conforms']]);
  });

  it('exists for each rule, even if no step is about it', () => {
    expect(
      verdictsOn(['a.b'], [file({ proves: [R] })], 'admin').map(({ rule, reasons }) => [rule, reasons]),
    ).to.deep.equal([['a.b', ['no step of the suite that was played is about it']]]);
  });
});

describe('the selected rules', () => {
  it('are one by its id, or all with the same prefix', () => {
    expect(rulesMeant('ppf.push')).to.deep.equal(['ppf.push']);
    expect(rulesMeant('groups.*')).to.have.members([
      'groups.body',
      'groups.add-users',
      'groups.remove-users',
      'groups.set-users',
    ]);
    expect(rulesMeant('grups.*')).to.deep.equal({ problem: 'there is no rule "grups.*" (did you mean "groups.*"?)' });
    expect(rulesMeant('ppf.puhs')).to.deep.equal({ problem: 'there is no rule "ppf.puhs" (did you mean "ppf.push"?)' });
  });
});

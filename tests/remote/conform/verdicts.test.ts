// What was played becomes an answer for each rule; what a step stands on, and what it can show, decides how.
import { expect } from 'chai';
import { emptyWorld } from '../../../server/domain/world.js';
import type { PlayedFile } from '../../../server/remote/conform/played-file.js';
import { rulesMeant } from '../../../server/remote/conform/suite.js';
import { verdictsOn } from '../../../server/remote/conform/verdicts.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import type { Played } from '../../../server/scenario/play/player.js';

type Told = Partial<Played> & { readonly status?: number; readonly proves?: readonly string[]; readonly say?: string };

const differs = { of: 'status', pointer: '', expected: 200, found: 500, says: 'is 500, not 200' } as const;

/** A file of which these steps were played: by default held calls of the admin. */
function file(...told: readonly Told[]): PlayedFile {
  const steps = told.map(
    ({ proves, say = 'a step' }): Step => ({ say, as: 'admin', call: 'ppf.push', ...(proves && { proves }) }),
  );
  const played = told.map(({ status = 200, proves: _, say: __, outcome = 'passed', ...rest }, index): Played => {
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
  it('conforms by a step that held and shows all that it is about', () => {
    expect(on(file({}, { proves: [R] }))).to.deep.equal(['conforms', undefined]);
  });

  it('contradicts by a step that failed, whatever held before', () => {
    const [verdict] = verdictsOn(
      [R],
      [file({ proves: [R] }, { proves: [R], outcome: 'failed', status: 500 })],
      'admin',
    );
    expect(verdict?.judgement).to.equal('contradicts');
    expect(verdict?.evidence.map(({ file: name, played }) => [name, played.line])).to.deep.equal([['x.yaml', 2]]);
    expect(verdict?.duration).to.equal(2);
  });

  it('is undetermined where the effect cannot be seen', () => {
    expect(on(file({ proves: [R], unchecked: ['then', 'proves'] }))).to.deep.equal([
      'undetermined',
      'what it changes cannot be seen in any documented answer',
    ]);
    expect(on(file({ proves: [R], unchecked: ['then'] }, { proves: [R] }))[0]).to.equal('conforms');
  });

  it('is undetermined where the ground gives way, and nothing after that counts', () => {
    const ground = { say: 'The ground', outcome: 'failed', status: 500 } as const;
    expect(on(file(ground, { proves: [R], outcome: 'failed' }))).to.deep.equal([
      'undetermined',
      'it takes a server where "The ground" holds; here the status is 500, not 200',
    ]);
    expect(on(file({ proves: [R] }, ground, { proves: [R], outcome: 'failed' }))[0]).to.equal('conforms');
  });

  it('leaves out a step that is about another reading', () => {
    const why = 'it needs no-change=409, but this server follows ok';
    const other = { proves: [R], outcome: 'skipped', why } as const;
    expect(on(file(other))).to.deep.equal(['undetermined', why]);
    expect(on(file(other, { proves: [R] }))[0]).to.equal('conforms');
    expect(on(file({ outcome: 'skipped', why }, { proves: [R] }))[0]).to.equal('conforms');
  });

  it('is undetermined where the ground cannot be asked there', () => {
    const why = 'the map names no group "customers"';
    const told = { ...file({ outcome: 'skipped', why }, { proves: [R] }), unplayable: new Set([0]) };
    expect(on(told)).to.deep.equal(['undetermined', why]);
  });

  it('is undetermined for what came after the server fell silent', () => {
    const told = file({}, { proves: [R] });
    expect(on({ ...told, played: told.played.slice(0, 1), ended: 'the server gave no answer' })).to.deep.equal([
      'undetermined',
      'the server gave no answer',
    ]);
  });

  it('is no contradiction where a server that keeps every rule would fail as well', () => {
    const told = file({ proves: [R], outcome: 'failed', status: 500 }, { proves: [R] });
    const [first] = verdictsOn([R], [told], 'admin', {
      unsound: new Map([['x.yaml', new Set([0])]]),
      blind: new Set(),
    });
    expect([first?.judgement, first?.reasons]).to.deep.equal([
      'conforms',
      ['as it is written it fits neither the readings nor the names of this server'],
    ]);
  });

  it('is undetermined where the same would hold, had nothing come of what was asked', () => {
    const told = file({ proves: [R] }, { proves: [R] });
    const [first] = verdictsOn([R], [told], 'admin', { unsound: new Map(), blind: new Set(['x.yaml']) });
    expect([first?.judgement, first?.reasons]).to.deep.equal([
      'undetermined',
      ['what it changes cannot be seen in any documented answer'],
    ]);
  });

  it('contradicts all the same where something fails that should hold', () => {
    const told = file({ proves: [R] }, { proves: [R], outcome: 'failed', status: 500 });
    const [first] = verdictsOn([R], [told], 'admin', { unsound: new Map(), blind: new Set(['x.yaml']) });
    expect(first?.judgement).to.equal('contradicts');
  });

  it('has the reason first that can be mended', () => {
    const unseen = { proves: [R], unchecked: ['then'] } as const;
    const skipped = {
      proves: [R],
      outcome: 'skipped',
      why: 'no password is known for carol: give --as carol:password',
    } as const;
    const told = { ...file(unseen, skipped, unseen), unplayable: new Set([1]) };
    const [verdict] = verdictsOn([R], [told], 'admin');
    expect(verdict?.reasons).to.deep.equal([
      'no password is known for carol: give --as carol:password',
      'what it changes cannot be seen in any documented answer',
    ]);
  });

  it('is there for each rule, also for one that nothing is about', () => {
    expect(
      verdictsOn(['a.b'], [file({ proves: [R] })], 'admin').map(({ rule, reasons }) => [rule, reasons]),
    ).to.deep.equal([['a.b', ['no step of the suite that was played is about it']]]);
  });
});

describe('the rules that are asked for', () => {
  it('are one by its id, or all that begin alike', () => {
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

// Selects scenarios by names, files and folders, and decides how often each is played.
import { expect } from 'chai';
import { loadNamed } from '../../../server/scenario/load/load-named.js';
import { Results, summaryText } from '../../../server/scenario/play/results.js';
import { readingsOf, runName, runsOf } from '../../../server/scenario/play/runs.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type Written, written } from '../../support/files/files.js';

describe('several scenarios', () => {
  let files: Written;
  beforeEach(() => {
    files = written({
      'scenarios/one.yaml': 'title: One\n',
      'scenarios/two.yml': 'title: Two\n',
      'scenarios/more/three.yaml': 'title: Three\n',
      'scenarios/broken.txt': 'none',
      'elsewhere/four.yaml': 'title: Four\n',
      'elsewhere/notes.md': 'none',
      'empty/deep/five.yaml': 'title: Five\n',
    });
  });
  afterEach(() => files.remove());

  const titles = (...asked: string[]) => {
    const meant = loadNamed(asked, files.folders);
    return isProblems(meant)
      ? meant.problems.map(({ message }) => message)
      : meant.map(({ name, loaded }) => `${name.replace(`${files.root}/`, '')}: ${loaded.title}`);
  };

  it('are selected by a folder among the scenarios', () => {
    expect(titles('more')).to.deep.equal(['more/three: Three']);
    expect(titles('more/three')).to.deep.equal(['more/three: Three']);
  });

  it('suggest the file in this directory if no scenario has its name', () => {
    files.remove();
    files = written({
      'nora.yaml': 'title: Nora\n',
      'scenarios/one.yaml': 'title: One\n',
      'one.yaml': 'title: Mine\n',
    });
    const before = process.cwd();
    process.chdir(files.root);
    try {
      const [expected = ''] = titles('nora');
      expect(expected).to.match(/^Unknown scenario "nora"/);
      expect(
        expected.endsWith('. A file nora.yaml exists: run cwx-fake play nora.yaml, or move it into ./scenarios.'),
      ).to.equal(true, expected);
      expect(titles('nora.yaml', 'one')).to.deep.equal(['nora.yaml: Nora', 'one: One']);
      expect(titles('nonsuch')[0]).to.not.include('A file');
    } finally {
      process.chdir(before);
    }
  });
});

describe('the runs of a scenario', () => {
  const load = (text: string) => {
    const files = written({ 'scenarios/s.yaml': text });
    try {
      return { name: 's', loaded: files.load('s') };
    } finally {
      files.remove();
    }
  };

  it('are one for a probe where readings cannot be chosen', () => {
    const steps = '[{ say: Ask, call: ppf.push, for: { message: {}, "400": {} } }]';
    const probe = load(`title: P\ngap: ppf-unknown-item\nsteps: ${steps}\n`);
    expect(runsOf([probe], true)).to.have.length(2);
    expect(runsOf([probe], false).map(runName)).to.deep.equal(['s']);
  });

  it('are one if it names a gap without a probe, or names none', () => {
    const named = load('title: P\ngap: ppf-unknown-item\nsteps: [{ say: Hello }]\n');
    expect(runsOf([named], true).map(readingsOf)).to.deep.equal([{}]);
    expect(runsOf([load('title: P\n')], true).map(runName)).to.deep.equal(['s']);
  });

  it('include a literal reading of an open gap', () => {
    const probe = load(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what a scenario writes
      'title: P\ngap: context-path\nsteps: [{ say: Ask, call: ppf.push, for: { any: {}, none: {}, /wiki: {}, "${context}": {} } }]\n',
    );
    expect(runsOf([probe], true).map(run => run.probed?.reading)).to.deep.equal(['any', 'none', '/wiki']);
  });
});

describe('results', () => {
  it('count the last outcome of a step, and a scenario once', () => {
    const files = written({ 'scenarios/s.yaml': 'title: S\n' });
    const loaded = files.load('s');
    files.remove();
    const results = new Results();
    const [first, second] = [
      { name: 's', loaded },
      { name: 's', loaded },
    ];
    const played = { line: 1, step: { say: '' }, differences: [], unchecked: [], duration: 0 } as const;
    results.begins(first);
    results.add(first, { ...played, index: 1, outcome: 'failed' });
    results.add(first, { ...played, index: 0, outcome: 'skipped' });
    results.add(first, { ...played, index: 1, outcome: 'passed' });
    results.begins(second);
    expect(results.counts()).to.deep.equal({ scenarios: 1, passed: 1, failed: 0, skipped: 1 });
    expect(results.all().map(([, steps]) => steps.map(({ index }) => index))).to.deep.equal([[0, 1], []]);
  });

  it('drop a run that begins again, and those that began after it', () => {
    const files = written({ 'scenarios/s.yaml': 'title: S\n', 'scenarios/t.yaml': 'title: T\n' });
    const [s, t] = ['s', 't'].map(name => ({ name, loaded: files.load(name) }));
    files.remove();
    if (s === undefined || t === undefined) throw new Error('there are two');
    const results = new Results();
    const played = { index: 0, line: 1, step: { say: '' }, differences: [], unchecked: [], duration: 0 } as const;
    results.add(s, { ...played, outcome: 'passed' });
    results.add(t, { ...played, outcome: 'failed' });
    expect(results.outcome).to.equal('failed');
    results.begins(t);
    expect(results.counts()).to.deep.equal({ scenarios: 2, passed: 1, failed: 0, skipped: 0 });
    expect(results.outcome).to.equal('passed');
    results.begins(s);
    expect(results.counts()).to.deep.equal({ scenarios: 1, passed: 0, failed: 0, skipped: 0 });
    expect(results.outcome).to.equal('empty');
  });

  it('of a demo pass if it is left after at least one step', () => {
    const files = written({ 'scenarios/s.yaml': 'title: S\n' });
    const run = { name: 's', loaded: files.load('s') };
    files.remove();
    const played = { index: 0, line: 1, step: { say: '' }, differences: [], unchecked: [], duration: 0 } as const;
    const left = (...outcomes: readonly ('passed' | 'failed')[]) => {
      const results = new Results();
      for (const outcome of outcomes) results.add(run, { ...played, outcome });
      results.begins(run);
      results.isLeft('before step 1 of 2');
      return [results.outcome, summaryText(results)];
    };
    const expected = '1 scenario, 0 steps passed, 0 failed, 0 skipped, ended before step 1 of 2';
    expect(left()).to.deep.equal(['empty', expected]);
    expect(left('passed')).to.deep.equal(['passed', expected]);
    expect(left('failed')).to.deep.equal(['passed', expected]);
  });
});

// Selects scenarios by names, files and folders, and decides how often each is played.
import { expect } from 'chai';
import { loadScenarios } from '../../../server/scenario/load/load-named.js';
import type { Played } from '../../../server/scenario/play/player.js';
import { Results, summaryText } from '../../../server/scenario/play/results.js';
import { readingsOf, runName, runsOf } from '../../../server/scenario/play/runs.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type Written, written } from '../../support/files/files.js';

describe('several scenarios', () => {
  let files: Written;
  beforeEach(() => {
    files = written({
      'nora.yaml': 'title: Nora\n',
      'one.yaml': 'title: Mine\n',
      'scenarios/one.yaml': 'title: One\n',
      'scenarios/more/three.yaml': 'title: Three\n',
    });
  });
  afterEach(() => files.remove());

  const titles = (...asked: string[]) => {
    const meant = loadScenarios(asked, files.folders);
    return isProblems(meant)
      ? meant.problems.map(({ message }) => message)
      : meant.map(({ name, loaded }) => `${name.replace(`${files.root}/`, '')}: ${loaded.title}`);
  };

  it('are selected by a folder among the scenarios', () => {
    expect(titles('more')).to.deep.equal(['more/three: Three']);
    expect(titles('more/three')).to.deep.equal(['more/three: Three']);
  });

  it('suggest the file in this directory if no scenario has its name', () => {
    const before = process.cwd();
    process.chdir(files.root);
    try {
      expect(titles('nora')[0]).to.match(/^Unknown scenario "nora".* There is a file nora\.yaml: .* play nora\.yaml/);
      expect(titles('nora.yaml', 'one')).to.deep.equal(['nora.yaml: Nora', 'one: One']);
      expect(titles('nonsuch')[0]).to.not.include('There is a file');
    } finally {
      process.chdir(before);
    }
  });
});

const load = (text = 'title: S\n') => {
  const files = written({ 'scenarios/s.yaml': text });
  try {
    return { name: 's', loaded: files.load('s') };
  } finally {
    files.remove();
  }
};

describe('the runs of a scenario', () => {
  it('are one for each reading of its probe, a literal one too, unless readings cannot be chosen or there is none', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a scenario writes
    const readings = '{ any: {}, none: {}, /wiki: {}, "${context}": {} }';
    const probe = load(`title: P\ngap: context-path\nsteps: [{ say: Ask, call: ppf.push, for: ${readings} }]\n`);
    expect(runsOf([probe], true).map(run => run.probed?.reading)).to.deep.equal(['any', 'none', '/wiki']);
    expect(runsOf([probe], false).map(runName)).to.deep.equal(['s']);
    const named = load('title: P\ngap: ppf-unknown-item\nsteps: [{ say: Hello }]\n');
    expect(runsOf([named], true).map(readingsOf)).to.deep.equal([{}]);
    expect(runsOf([load('title: P\n')], true).map(runName)).to.deep.equal(['s']);
  });
});

describe('results', () => {
  let results: Results;
  beforeEach(() => {
    results = new Results();
  });
  const s = load();
  const t = { ...load(), name: 't' };
  const add = (run: typeof s, outcome: Played['outcome'], index = 0) =>
    results.add(run, { index, line: 1, step: { say: '' }, outcome, differences: [], unchecked: [], duration: 0 });

  it('count the last outcome of a step, and a scenario once', () => {
    results.begins(s);
    add(s, 'failed', 1);
    add(s, 'skipped', 0);
    add(s, 'passed', 1);
    results.begins({ ...s });
    expect(results.counts()).to.deep.equal({ scenarios: 1, passed: 1, failed: 0, skipped: 1 });
    expect(results.all().map(([, steps]) => steps.map(({ index }) => index))).to.deep.equal([[0, 1], []]);
  });

  it('drop a run that begins again, and those that began after it', () => {
    add(s, 'passed');
    add(t, 'failed');
    expect(results.outcome).to.equal('failed');
    results.begins(t);
    expect(results.counts()).to.deep.equal({ scenarios: 2, passed: 1, failed: 0, skipped: 0 });
    expect(results.outcome).to.equal('passed');
    results.begins(s);
    expect(results.counts()).to.deep.equal({ scenarios: 1, passed: 0, failed: 0, skipped: 0 });
    expect(results.outcome).to.equal('empty');
  });

  it('of a demo that is left are what was played', () => {
    for (const [of, outcome] of [
      [[], 'empty'],
      [['passed'], 'passed'],
      [['failed'], 'passed'],
    ] as const) {
      results = new Results();
      for (const one of of) add(s, one);
      results.begins(s);
      results.isLeft('before step 1 of 2');
      expect(results.outcome, of.join()).to.equal(outcome);
    }
    expect(summaryText(results)).to.match(/stopped before step 1 of 2$/);
  });
});

// Writes reports to disk: they replace old ones, or report a problem in one sentence; and to GitHub.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { annotations } from '../../../harness/report/annotations.js';
import type { Format } from '../../../harness/report/formats.js';
import { junit } from '../../../harness/report/junit.js';
import { markdown } from '../../../harness/report/markdown.js';
import { writeReports } from '../../../harness/report/write.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { small, thousand } from './runs.js';

describe('writing reports', () => {
  let folder: Scratch;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => {
    chmodSync(folder.path, 0o700);
    folder.drop();
  });
  const at = (name: string) => join(folder.path, name);
  const read = (name: string) => readFileSync(at(name), 'utf8');
  const outlets = { env: {}, print: () => expect.fail('nothing is printed') };
  const write = (files: Readonly<Partial<Record<Format, string>>>, run = small) => {
    const list = Object.entries(files).map(([format, file]) => ({ format: format as Format, file }));
    return writeReports(run, { files: list, github: false }, outlets);
  };

  it('replaces an old report, and leaves nothing else behind', () => {
    folder.write('report.xml', 'old');
    const old = lstatSync(at('report.xml')).ino;
    expect(write({ junit: at('report.xml') }, thousand)).to.deep.equal([]);
    expect(read('report.xml')).to.equal(junit(thousand));
    expect(lstatSync(at('report.xml')).ino).to.not.equal(old); // renamed, not written over
    expect(readdirSync(folder.path)).to.deep.equal(['report.xml']);
  });

  it('reports a folder in the place of the file, and writes the others', () => {
    mkdirSync(at('report.xml'));
    expect(write({ junit: at('report.xml'), md: at('report.md') })).to.deep.equal([
      `The junit report cannot be written to ${JSON.stringify(at('report.xml'))}: illegal operation on a directory.`,
    ]);
    expect(readdirSync(folder.path)).to.deep.equal(['report.md', 'report.xml']);
  });

  describe('for GitHub', () => {
    const tell = (env: Readonly<Record<string, string>>) => {
      const printed: string[] = [];
      const print = (line: string) => printed.push(line);
      return { problems: writeReports(small, { files: [], github: true }, { env, print }), printed };
    };

    it('prints annotations, and adds to the summary of the step', () => {
      folder.write('summary.md', 'before\n');
      const env = { GITHUB_STEP_SUMMARY: at('summary.md') };
      expect(tell(env)).to.deep.equal({ problems: [], printed: annotations(small) });
      expect(read('summary.md')).to.equal(`before\n\n${markdown(small)}`);
    });

    it('reports that the summary cannot be written', () => {
      const file = at('missing/summary.md');
      expect(tell({ GITHUB_STEP_SUMMARY: file }).problems).to.deep.equal([
        `The summary for GitHub cannot be written to ${JSON.stringify(file)}: no such file or directory.`,
      ]);
    });
  });
});

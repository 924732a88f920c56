// A file of readings: what it says, and its problems.

import { join } from 'node:path';
import { expect } from 'chai';
import { loadReadings } from '../../../server/scenario/load/readings-file.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type Written, written } from '../../support/files/files.js';

describe('a file of readings', () => {
  let files: Written;
  afterEach(() => files.remove());
  const load = (text: string) => {
    files = written({ 'readings.yaml': text });
    const loaded = loadReadings(join(files.root, 'readings.yaml'));
    return isProblems(loaded)
      ? loaded.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`)
      : loaded.readings;
  };

  it('has a reading for each gap it names', () => {
    expect(load('unknown-user: 400\nview-post: add\n')).to.deep.equal({ 'unknown-user': '400', 'view-post': 'add' });
    files.remove();
    expect(load('')).to.deep.equal({});
  });

  it('reports each problem', () => {
    expect(load('unknown-user: 401\nview-pots: add\nview-post: [add]\nview-post: add\n')).to.deep.equal([
      '1:15: unknown-user has no reading "401" (did you mean "404"?): expected 404, 400, skip.',
      '2:1: Unknown gap "view-pots" (did you mean "view-post"?).',
      '3:12: view-post must be one of its readings, not a list of length 1.',
      '4:1: The key "view-post" is a duplicate of line 3.',
    ]);
  });
});

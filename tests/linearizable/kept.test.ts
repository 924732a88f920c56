// A failed run leaves enough to look at it again.
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { check } from './checking/check.js';
import type { SandboxHistory } from './checking/history.js';
import { problemOf, readKept } from './kept.js';

const cells = new Map([['link ds/a', '']]);
const stale: SandboxHistory = {
  sandbox: 's',
  cells,
  operations: [
    {
      tag: '1',
      sandbox: 's',
      by: 'lane 1',
      asked: { kind: 'write', cell: 'link ds/a', value: 'v1.' },
      began: 1,
      ended: 2,
      response: { kind: 'done', entry: 1 },
    },
    {
      tag: '3',
      sandbox: 's',
      by: 'lane 2',
      asked: { kind: 'look' },
      began: 3,
      ended: 4,
      response: { kind: 'cells', cells },
    },
  ],
  written: [{ id: 1, tag: '1', kind: 'done', before: 0, version: 1 }],
};

describe('the report of a run', () => {
  it('is empty if nothing is wrong', () => {
    const sound = [{ ...stale, operations: stale.operations.slice(0, 1) }];
    expect(problemOf(check(sound), sound, [], 'again')).to.equal('');
  });

  it('has the errors, the command that runs it again, and the file of its history, which fails the check again', () => {
    const checked = check([stale]);
    const [first = '', ...others] = problemOf(checked, [stale], ['odd'], 'again').split('\n');
    const [, file = ''] = /^2 found \(again\); the history is in (.*)$/.exec(first) ?? [];
    try {
      expect(others).to.deep.equal(['odd', ...checked.findings]);
      const kept = readKept(file);
      expect(kept).to.deep.equal([stale]);
      expect(check(kept)).to.deep.equal(checked);
    } finally {
      rmSync(file, { force: true });
    }
  });
});

// The tables of a soak test: requests, latencies and memory of the server. Measures nothing itself.
import { expect } from 'chai';
import { answersTable, memoryTable, triedTable } from '../../bench/soak/soak-tables.js';
import { Counts } from '../fuzz/judging/counts.js';
import { Findings } from '../fuzz/judging/findings.js';
import type { Report } from '../fuzz/run.js';

function report(): Report {
  const counts = new Counts();
  counts.try('plain', 1_000);
  counts.try('pipelined', 3_000);
  counts.try('malformed', 2_000);
  counts.answered(400);
  counts.answered(200);
  counts.answered(200);
  counts.latencies.push(...Array.from({ length: 101 }, (_, i) => 100 - i));
  return { counts, findings: new Findings(1), held: [2 ** 20, 3 * 2 ** 20], stopping: 12.4 };
}

describe('the tables of a soak', () => {
  it('count requests by kind, the most frequent first, and the bad ones', () => {
    const { rows } = triedTable(report());
    expect(rows.slice(0, 5)).to.deep.equal([
      ['pipelined', '3,000'],
      ['malformed', '2,000'],
      ['plain', '1,000'],
      ['**all**', '6,000'],
      ['of these bad: malformed, changed, cut off, reset', '2,000'],
    ]);
  });

  it('show the median and the 99th percentile of the latencies, and the statuses in order', () => {
    expect(answersTable({ on: report() }).rows).to.deep.equal([
      ['on', '6,000', '50.00', '99.00', '12', '200 2 · 400 1'],
    ]);
  });

  it('show memory by the share of requests completed', () => {
    expect(memoryTable(report()).rows).to.deep.equal([
      ['before', '1.0 MiB'],
      ['5 %', '3.0 MiB'],
    ]);
  });
});

describe('a finding of the fuzz', () => {
  it('is shown with the bytes and the command that repeats it, a dozen at most', () => {
    const findings = new Findings(7);
    for (let at = 0; at < 20; at += 1)
      findings.add({ at, kind: 'plain', problem: 'wrong', sent: Buffer.from('\u00ff\r\n', 'latin1') });
    expect(findings.list).to.have.length(12);
    expect(findings.render().split('\n').slice(0, 3)).to.deep.equal([
      'case 0, plain: wrong',
      '  sent 3 bytes: "\u00ff\\r\\n"',
      '  again: FUZZ_SEED=7 FUZZ_AT=0 npx mocha tests/fuzz/fuzz.test.ts',
    ]);
  });
});

// Runs to report in tests: a small one, an empty one, a large one, and one whose texts attack every format.
import type { Check, Report } from '../../../harness/report/report.js';

export const ESC = '\u001b';

export function runOf(checks: readonly Check[], rest: Partial<Report> = {}): Report {
  return {
    tool: 'cwx-fake play',
    version: '1.2.3',
    title: 'Play',
    startedAt: '2026-03-01T10:00:00.000Z',
    duration: 1234,
    checks,
    ...rest,
  };
}

export function check(rest: Partial<Check> = {}): Check {
  return { suite: 'team', name: 'adds', verdict: 'passed', duration: 5, ...rest };
}

export const small = runOf(
  [
    check({ duration: 12.4, labels: ['groups.add-users', 'groups.known'] }),
    check({
      name: 'removes',
      verdict: 'failed',
      duration: 1200,
      message: 'the status is 404, not 200',
      details: 'expected: 200\nfound: 404',
      file: 'scenarios/team.yaml',
      line: 12,
    }),
    check({
      suite: 'pages',
      name: 'waits',
      verdict: 'undetermined',
      duration: 0,
      message: 'the target tells no facts',
    }),
    check({ name: 'lists', duration: 3 }),
  ],
  { properties: { target: 'http://127.0.0.1:8080', readings: 'view-post=set' } },
);

/** One check rests on a guess, and there is an additional table. */
export const guessing = runOf(
  [
    check({ warning: 'a=b is read as c', details: 'guess a', file: 'pacts/web.json', line: 7, labels: ['a.b'] }),
    check({ name: 'lists' }),
    check({ name: 'fails', verdict: 'failed', warning: 'not told of what failed' }),
  ],
  {
    parts: [
      { title: 'Under other readings', says: ['It breaks | once.'], heads: ['Gap', 'Reading'], rows: [['a', 'b|c']] },
      { title: 'Nothing', says: ['It holds.'], heads: ['Gap'], rows: [] },
    ],
  },
);

export const empty = runOf([], { duration: 0 });

/** Every third check failed, every third was skipped. */
export const thousand = runOf(
  Array.from({ length: 1000 }, (_, i) =>
    check({
      suite: `suite ${i % 10}`,
      name: `check ${i}`,
      verdict: (['passed', 'failed', 'undetermined'] as const)[i % 3] ?? 'passed',
      duration: 1,
      ...(i % 3 !== 0 && { message: `reason ${i}` }),
    }),
  ),
);

export const hostileName = `]]> <script>alert("&amp;'")</script> | \`x\` ${ESC}[31mred${ESC}[0m\nnext\r\n\u0000 \ud800 \uffff 😀`;
/** What the formats may contain of it. */
export const plainHostileName = `]]> <script>alert("&amp;'")</script> | \`x\` red\nnext\r\n\ufffd \ufffd \ufffd 😀`;

export const hostile = runOf(
  [
    check({
      suite: hostileName,
      name: hostileName,
      verdict: 'failed',
      message: hostileName,
      details: `${hostileName}\n\`\`\`\`\n::error::${hostileName}`,
      file: hostileName,
      line: 3,
      labels: [hostileName],
    }),
    check({
      suite: hostileName,
      name: hostileName,
      verdict: 'undetermined',
      message: hostileName,
      details: hostileName,
    }),
    check({ suite: '', name: `${ESC}[0m`, verdict: 'failed', duration: Number.NaN, message: '' }),
  ],
  {
    title: hostileName,
    tool: '',
    properties: { [hostileName]: hostileName },
    parts: [{ title: hostileName, says: [hostileName], heads: [hostileName], rows: [[hostileName]] }],
  },
);

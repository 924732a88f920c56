// Prints what failed in runs of mocha, their slowest files, and the counts of all. Usage: counts.cjs <folder of JSON results> <run>...
const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const [folder = '', ...runs] = process.argv.slice(2);
let passed = 0;
let failed = 0;
const failures = []; // said last, where a cut log still has them

for (const run of runs) {
  const file = join(folder, run);
  if (!existsSync(file)) {
    failures.push(`npm run ${run}: it ended without results`);
    failed += 1;
    continue;
  }
  const { stats, tests, failures: found } = JSON.parse(readFileSync(file, 'utf8'));
  passed += stats.passes;
  failed += stats.failures;
  for (const { fullTitle, err } of found) failures.push(`${run}: ${fullTitle}\n${err.stack ?? err.message}`);
  const { passes, pending, duration } = stats;
  console.log(`\nnpm run ${run}: ${passes} passing, ${pending} pending, ${Math.round(duration / 1000)} s; the slowest files:`);
  for (const [name, seconds] of slowest(tests)) console.log(`${String(Math.round(seconds)).padStart(5)} s  ${name}`);
}
for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** The files with the longest tests in all, longest first. */
function slowest(tests) {
  const seconds = new Map();
  for (const { file, duration = 0 } of tests) seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000);
  const names = [...seconds].map(([file, sum]) => [relative('', file), sum]);
  return names.sort(([, a], [, b]) => b - a).slice(0, 8);
}

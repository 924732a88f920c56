// How mocha runs all test files: on every core, the slowest first, so that no core is left with a long file at the end.
const { readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');

/** The slowest files, as `.ci/run` lists them. Files that are not named here run after them. */
const slowest = [];

const files = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .map(name => `tests/${name.replaceAll('\\', '/')}`)
  .filter(name => name.endsWith('.test.ts'))
  .sort();

module.exports = {
  ...require('../.mocharc.json'),
  parallel: true,
  jobs: availableParallelism() + 1, // some tests wait for a time to pass
  spec: [...slowest.filter(name => files.includes(name)), ...files.filter(name => !slowest.includes(name))],
};

// How mocha runs all test files: on every core, the slowest first by their measured times, so that no core ends with a long file.
// UPDATE_TIMES=1 measures: it writes how long each file of the run took into tests/times.json.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { times: file } = require('./measure-times.cjs');

/** @type {Readonly<Record<string, number>>} Seconds by file. */
const times = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

/**
 * The test files below a folder, without those of installed packages.
 * @param {string} folder
 * @returns {string[]}
 */
function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsIn(path);
    return path.endsWith('.test.ts') ? [path] : [];
  });
}

const mocharc = require('../.mocharc.json');

module.exports = {
  ...mocharc,
  ...(process.env.UPDATE_TIMES && { require: ['./tests/measure-times.cjs'] }),
  parallel: true,
  jobs: availableParallelism() + 2, // a third of the time a file waits for a process, a disk or a time to pass
  spec: testsIn('tests').sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0)),
};

// A plugin of mocha that measures how long the test files of a run take: tests/times.json has those of two seconds and more.
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '..');
const times = join(__dirname, 'times.json');
/** A line for each file, since every process writes its own. */
const lines = join(root, 'dist/test-times.txt');
let began = 0;

exports.times = times;

exports.mochaHooks = {
  beforeAll() {
    began = performance.now();
  },
  /** @this {Mocha.Context} */
  afterAll() {
    const file = this.test?.parent?.suites[0]?.file ?? '';
    appendFileSync(lines, `${relative(root, file)} ${Math.round((performance.now() - began) / 1000)}\n`);
  },
};

exports.mochaGlobalSetup = () => {
  mkdirSync(dirname(lines), { recursive: true });
  writeFileSync(lines, '');
};

exports.mochaGlobalTeardown = () => {
  /** @type {Record<string, number>} */
  const known = existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : {};
  for (const line of readFileSync(lines, 'utf8').trim().split('\n')) {
    const [file = '', seconds] = line.split(' ');
    known[file] = Number(seconds);
  }
  const kept = Object.entries(known).filter(
    ([file, seconds]) => file !== '' && seconds >= 2 && existsSync(join(root, file)),
  );
  writeFileSync(times, `${JSON.stringify(Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`);
};

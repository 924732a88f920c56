// Mutants of the rules: Stryker changes one place of the sources at a time and runs the tests that reach it.
//   npm run mutants                                                   all of them: hours on two cores
//   npm run mutants -- --mutate server/operations/wiki/groups.ts      one file: some minutes
//   MUTANTS_BY=tests/scenario/rules.test.ts npm run mutants -- …      what these tests alone notice
import { createRequire } from 'node:module';

const tools = createRequire(new URL('../tools/package.json', import.meta.url));

export default {
  mutate: ['server/{domain,operations}/**/*.ts', 'server/engine/request/**/*.ts'],
  testRunner: 'mocha', // with the mocha of tests/tools, since Stryker's runner has not come to mocha 12
  plugins: [tools.resolve('@stryker-mutator/mocha-runner')],
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: { config: 'tests/mutation/mocharc.cjs' },
  coverageAnalysis: 'perTest',
  timeoutMS: 60_000, // a busy machine is no endless loop
  ignoreStatic: true, // what runs once while loading: it would need a process for each mutant
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: 'dist/mutants.html' },
  tempDirName: 'dist/mutants',
  ignorePatterns: ['bench', 'dist/mutants', 'docs/images'],
  checkers: [],
};

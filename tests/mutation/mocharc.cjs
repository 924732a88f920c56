// The tests that mutants have to get past: those of the rules and readings, in this process.
const { MUTANTS_BY } = process.env;

module.exports = {
  extension: ['ts'],
  timeout: 30_000,
  spec: MUTANTS_BY ?? [
    'tests/{domain,operations}/**/*.test.ts',
    'tests/engine/request/**/*.test.ts',
    'tests/scenario/rules.test.ts',
    'tests/proof/scenario/play/repeated.test.ts', // each reading of scenarios/gaps
  ],
};

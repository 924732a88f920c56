// The tests that mutants have to get past: those of the rules and readings, in this process.
const { MUTANTS_BY } = process.env;
// Always the same courses, so that finding a mutant does not depend on luck.
Object.assign(process.env, { MODEL_SEED: '7', MODEL_RUNS: '60' });

module.exports = {
  extension: ['ts'],
  timeout: 30_000,
  spec: MUTANTS_BY ?? [
    'tests/{domain,operations}/**/*.test.ts',
    'tests/engine/request/**/*.test.ts',
    'tests/scenario/rules.test.ts',
    'tests/model/courses/courses.test.ts',
    'tests/proof/scenario/play/repeated.test.ts', // each reading of scenarios/gaps
  ],
};

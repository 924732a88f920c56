// How mocha runs all test files: on every core, the slowest first, so that no core is left with a long file at the end.
const { readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');

/** The slowest files, as `.ci/run` lists them. Files that are not named here run after them. */
const slowest = [
  'tests/proof/fuzz/fuzz.test.ts',
  'tests/proof/harness/conform/faulty-servers.test.ts',
  'tests/proof/model/defects.test.ts',
  'tests/proof/replicas/same-answers.test.ts',
  'tests/proof/examples.test.ts',
  'tests/proof/security/unread-answers.test.ts',
  'tests/docs/commands.test.ts',
  'tests/proof/packed.test.ts',
  'tests/proof/http/provider-states-verifiers.test.ts',
  'tests/proof/scenario/rules.test.ts',
  'tests/proof/harness/proxy/hidden-readings.test.ts',
  'tests/proof/fuzz/defects.test.ts',
  'tests/proof/ui/dashboard.test.ts',
  'tests/proof/build.test.ts',
  'tests/harness/conform/faulty-servers.test.ts',
  'tests/harness/conform/strange-servers.test.ts',
  'tests/proof/linearizable/replicas.test.ts',
  'tests/proof/harness/verify/suite-sensitivity.test.ts',
  'tests/scenario/rules.test.ts',
  'tests/proof/harness/calibrate/refusing.test.ts',
  'tests/library/examples/examples.test.ts',
  'tests/derive/schemas/request-schema.test.ts',
  'tests/control/table.test.ts',
  'tests/cli/remote/conform-command.test.ts',
  'tests/scenario/recording/recorded.test.ts',
  'tests/harness/verify/target.test.ts',
  'tests/cli/sensitivity/sensitivity-command.test.ts',
  'tests/store/file/damage.test.ts',
  'tests/scenario/play/repeated.test.ts',
  'tests/cli/verify/verify-command.test.ts',
  'tests/derive/document-schemas.test.ts',
  'tests/contracts/consumers.test.ts',
  'tests/cli/serve/serve-flags.test.ts',
  'tests/proof/model/courses.test.ts',
  'tests/proof/store/redis/faults-cluster.test.ts',
  'tests/proof/scenario/recording/recorded.test.ts',
  'tests/proof/security/yaml-bounds.test.ts',
  'tests/proof/harness/calibrate/any-readings.test.ts',
  'tests/proof/linearizable/defects.test.ts',
  'tests/proof/harness/conform/any-readings.test.ts',
  'tests/proof/harness/calibrate/calibrate.test.ts',
  'tests/proof/harness/verify/other-servers.test.ts',
  'tests/replicas/folder.test.ts',
  'tests/derive/generated.test.ts',
  'tests/http/control/provider-states.test.ts',
  'tests/engine/request/stages.test.ts',
  'tests/types.test.ts',
  'tests/fuzz/fuzz.test.ts',
  'tests/harness/verify/native/run-verifier.test.ts',
  'tests/proof/security/timeouts.test.ts',
  'tests/proof/replicas/away.test.ts',
  'tests/proof/harness/verify/verify-states.test.ts',
];

const files = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .map(name => `tests/${name.replaceAll('\\', '/')}`)
  .filter(name => name.endsWith('.test.ts'))
  .sort();

module.exports = {
  ...require('../.mocharc.json'),
  parallel: true,
  jobs: availableParallelism() + 2, // a third of the time a file waits for a process, a disk or a time to pass
  spec: [...slowest.filter(name => files.includes(name)), ...files.filter(name => !slowest.includes(name))],
};

// `cwx-fake init`: writes a fixture, a demo and a first test for the project's test runner. Never overwrites.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { type Command, type ExitCode, exit, fail } from '../command/command.js';

const schemaLine = (format: string) =>
  `# yaml-language-server: $schema=../node_modules/cwx-fake/dist/contracts/schemas/${format}.schema.json\n`;

const FIXTURE = `${schemaLine('fixture')}# The world of the tests: users, groups, spaces, pages, filters and dashboards.
users:
  admin: { displayName: Ada Admin, password: admin, admin: true }
  alice: { displayName: Alice, password: alice }
groups:
  customers: []
spaces:
  docs: { name: Documentation, admins: [admin] }
pages:
  "1001": { space: docs, title: Welcome, body: "<p>Hello.</p>", author: admin }
filters:
  10500: { name: Open bugs, owner: admin, sharedWith: everyone }
`;

const DEMO = `${schemaLine('scenario')}title: A customer joins
fixture: my-team
steps:
  - say: The admin adds Alice to the customers.
    as: admin
    call: groups.add-users
    body: { group: customers, users: [alice] }
    expect: { status: 2XX }
    then: { groups: { customers: [alice] } }
`;

/** Lines of a test, from its imports to its last line. */
interface Runner {
  readonly file: string;
  readonly command: string;
  readonly imports: readonly string[];
  /** How the fake starts and ends. */
  readonly setUp: readonly string[];
}

const LIBRARY = "import { createFake } from 'cwx-fake';";
const ASSERT = "import assert from 'node:assert/strict';";
const ESM_FILE = 'test/cwx-fake.test.mjs';
const created = (after: string) => [
  "const fake = await createFake({ scenario: 'my-team' });",
  `${after}(() => fake.stop());`,
];

/** By the package of the runner; the first that a project has counts. */
const runners: Readonly<Record<string, Runner>> = {
  vitest: {
    file: ESM_FILE,
    command: `npx vitest run ${ESM_FILE}`,
    imports: [ASSERT, LIBRARY, "import { afterAll, test } from 'vitest';"],
    setUp: created('afterAll'),
  },
  jest: {
    file: 'test/cwx-fake.test.js',
    command: 'npx jest test/cwx-fake.test.js',
    imports: ["const assert = require('node:assert/strict');", "const { createFake } = require('cwx-fake');"],
    setUp: [
      'let fake;',
      'beforeAll(async () => {',
      "  fake = await createFake({ scenario: 'my-team' });",
      '});',
      'afterAll(() => fake.stop());',
    ],
  },
  mocha: {
    file: ESM_FILE,
    command: `npx mocha ${ESM_FILE}`,
    imports: [ASSERT, LIBRARY, "import { after, it as test } from 'mocha';"],
    setUp: created('after'),
  },
  'node:test': {
    file: ESM_FILE,
    command: `node --test ${ESM_FILE}`,
    imports: [ASSERT, "import { after, test } from 'node:test';", LIBRARY],
    setUp: created('after'),
  },
};

const testOf = ({ imports, setUp }: Runner) => `${[...imports, '', ...setUp].join('\n')}

test('a user joins a group', async () => {
  const sandbox = fake.sandbox(); // each test has a world of its own
  const response = await sandbox.fetch(\`\${sandbox.url}/rest/cwxapiextension/latest/groups/add-users\`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: \`Basic \${btoa('admin:admin')}\` },
    body: JSON.stringify({ group: 'customers', users: ['alice'] }),
  });
  assert.equal(response.status, 200);
  assert.deepEqual((await sandbox.world()).groups.customers, ['alice']);
});
`;

export const init: Command = {
  name: 'init',
  summary: "Write a fixture, a demo and a first test for the project's test runner. Never overwrites a file.",
  usage: '',
  flags: [],
  examples: [['cwx-fake init', 'run it in the folder that contains your package.json']],
  run: async (_, process) => runInit(process),
};

function runInit(process: Process): ExitCode {
  const folder = process.cwd();
  const packages = packagesOf(join(folder, 'package.json'));
  const name = Object.keys(runners).find(runner => packages.includes(runner)) ?? 'node:test';
  const runner = runners[name] as Runner; // one of its own keys
  const files = {
    'fixtures/my-team.yaml': FIXTURE,
    'scenarios/customer-joins.yaml': DEMO,
    [runner.file]: testOf(runner),
  };
  for (const [file, text] of Object.entries(files))
    try {
      writeLine(process.stdout, `${write(join(folder, file), text) ? 'written' : 'kept   '}  ${file}`);
    } catch (error) {
      fail(exit.usage, `${file} cannot be written: ${(error as Error).message}`); // of the file system
    }
  const steps = [
    ...(packages.includes('cwx-fake') ? [] : ['npm install --save-dev cwx-fake']),
    runner.command,
    'npx cwx-fake play customer-joins',
    'npx cwx-fake serve my-team --open',
  ];
  for (const line of ['', 'Run next:', ...steps.map(step => `  ${step}`)]) writeLine(process.stdout, line);
  return exit.passed;
}

/** Names of the packages that a project depends on; none without a package.json. */
function packagesOf(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const manifest = parsedJson(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  if (!isObject(manifest)) fail(exit.usage, 'package.json is not a JSON object: correct it, then run init again');
  return ['dependencies', 'devDependencies'].flatMap(kind => Object.keys(manifest[kind] ?? {}));
}

/** Returns whether it was not there. */
function write(file: string, text: string): boolean {
  if (existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'wx' });
  return true;
}

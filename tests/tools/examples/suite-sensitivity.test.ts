// `cwx-fake sensitivity` finds what suites in two languages rely on, and nothing else: one in process, one over a socket. Each has two tests that rely on a
// guess, and two that ask what is left open and rely on nothing.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useSharedScratch } from '../../support/files/scratch.js';
import { built, packageFolder } from '../../support/processes/built.js';
import { run } from '../../support/processes/commands.js';
import { hasProgram } from '../../support/processes/programs.js';
import { installed } from '../installed.js';

/** The readings under which the guesses are wrong. */
const PLANTED = [
  'no-change=409',
  'unknown-user=400',
  'unknown-user=403',
  'unknown-user=create',
  'unknown-user=message',
  'unknown-user=skip',
];
/** What every test stands on: the prefix that it asks below, and that success is 200. */
const COMMON = ['wiki-prefix=bare', 'wiki-prefix=rest-api', 'wiki-success=no-content'];

/** CommonJS, which Jest runs as it is. */
const JEST = `
const { createFake } = require('cwx-fake');
const headers = { authorization: 'Basic ' + btoa('admin:admin'), 'content-type': 'application/json' };
let fake;
beforeAll(async () => (fake = await createFake()));
afterAll(() => fake.stop());
const call = async (method, path, body) => {
  const url = fake.url + '/rest/cwxapiextension/latest/' + path;
  return (await fake.fetch(url, { method, headers, body: JSON.stringify(body) })).status;
};
const add = (group, users) => call('POST', 'groups/add-users', { group, users });
it('guesses the status of an unknown user', async () => expect(await add('customers', ['nobody'])).toBe(404));
it('guesses that nothing to do is fine', async () => expect(await add('team-members', ['demouser1'])).toBe(200));
it('takes any response to an empty list', async () =>
  expect(await call('POST', 'groups/set-users', { group: 'customers', users: [] })).toBeLessThan(500));
it('takes any refusal of an unknown page', async () =>
  expect(await call('PUT', 'permissions/edit/999', { users: ['alice'], groups: [] })).toBeLessThan(500));
`;

const PYTHON = `
import base64, json, os, unittest, urllib.error, urllib.request

BASE = os.environ['CWX_FAKE_URL'] + '/rest/cwxapiextension/latest/'

def call(method, path, body):
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), method=method)
    request.add_header('Authorization', 'Basic ' + base64.b64encode(b'admin:admin').decode())
    request.add_header('Content-Type', 'application/json')
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code

def add(group, users):
    return call('POST', 'groups/add-users', {'group': group, 'users': users})

class Guesses(unittest.TestCase):
    def test_guesses_the_status_of_an_unknown_user(self):
        self.assertEqual(add('customers', ['nobody']), 404)
    def test_guesses_that_nothing_to_do_is_fine(self):
        self.assertEqual(add('team-members', ['demouser1']), 200)
    def test_takes_any_answer_to_an_empty_list(self):
        self.assertLess(call('POST', 'groups/set-users', {'group': 'customers', 'users': []}), 500)
    def test_takes_any_refusal_of_an_unknown_page(self):
        self.assertLess(call('PUT', 'permissions/edit/999', {'users': ['alice'], 'groups': []}), 500)
`;

interface Tried {
  readonly gap: string;
  readonly reading: string;
  readonly outcome: string;
  readonly excerpt: readonly string[];
}

describe('the sensitivity of a suite', () => {
  const project = useSharedScratch({
    'package.json': '{ "private": true }\n',
    'guesses.jest.cjs': JEST,
    'jest.config.cjs': `module.exports = { testMatch: ['**/*.jest.cjs'], transform: {} };\n`,
    'test_guesses.py': PYTHON,
  });
  before(async () => {
    await built();
    mkdirSync(join(project.path, 'node_modules'));
    symlinkSync(packageFolder, join(project.path, 'node_modules/cwx-fake'));
  });

  /** The test that is expected to fail, in the spelling of either runner. */
  const guessOf: Readonly<Record<string, RegExp>> = {
    'no-change': /guesses.that.nothing/,
    'unknown-user': /guesses.the.status/,
    'wiki-prefix': /Wrong prefix for the wiki extension|guesses.that.nothing/,
    'wiki-success': /guesses.that.nothing/,
  };
  const finds = async (planted: readonly string[], flags: readonly string[], command: readonly string[]) => {
    const { code, stdout, stderr } = await run(['sensitivity', '--json', ...flags, '--', ...command], {
      cwd: project.path,
    });
    expect(code, stderr).to.equal(0);
    const { tried } = JSON.parse(stdout) as { tried: readonly Tried[] };
    const failing = tried.filter(({ outcome }) => outcome === 'fails');
    expect(failing.map(({ gap, reading }) => `${gap}=${reading}`).sort()).to.deep.equal(planted);
    for (const { gap, excerpt } of failing) expect(excerpt.join('\n'), gap).to.match(guessOf[gap] ?? /$^/);
    expect(tried.filter(({ outcome }) => outcome === 'untried')).to.deep.equal([]);
    expect(tried.map(({ gap }) => gap)).to.include('unknown-page');
  };

  it('is found in Jest, whose suite is CommonJS and makes its fake in process', () => {
    const only = ['--only', 'no-change', '--only', 'unknown-page']; // Jest takes a second to begin
    return finds(['no-change=409'], only, [process.execPath, installed('jest/bin/jest.js'), '--no-cache']);
  });

  it('is found in Python, among all gaps', async function () {
    if (!hasProgram('python3', 'python3')) return this.skip();
    return finds([...PLANTED, ...COMMON], [], ['python3', '-B', '-m', 'unittest', 'test_guesses']);
  });
});

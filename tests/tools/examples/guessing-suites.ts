// One small client and its test suite for three runners: four tests that rely on a guess each, and four that ask what is left open and rely on nothing.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { installed, linkPackages } from '../installed.js';

/** The readings under which the four guesses are wrong. */
export const PLANTED = [
  'is-unique-answer=exists',
  'is-unique-answer=found',
  'is-unique-answer=inverted',
  'is-unique-answer=messages',
  'is-unique-answer=object',
  'is-unique-answer=status',
  'no-change=409',
  'unknown-user=400',
  'unknown-user=403',
  'unknown-user=create',
  'unknown-user=message',
  'unknown-user=skip',
  'wiki-prefix=bare', // every suite stands on the prefix that it asks below
  'wiki-prefix=rest-api',
  'wiki-success=empty',
  'wiki-success=messages',
  'wiki-success=no-content',
];

/** Gaps that the other four ask about. */
export const ROBUST = ['unknown-group', 'set-users-empty', 'unknown-page', 'sidebar-duplicate'];

const CLIENT = `
const credentials = 'Basic ' + Buffer.from('admin:admin').toString('base64');
export function client(base, ask = fetch) {
  const call = (method, path, body) => {
    const headers = { authorization: credentials, ...(body && { 'content-type': 'application/json' }) };
    return ask(base + '/rest/cwxapiextension/latest/' + path, { method, headers, body: body && JSON.stringify(body) });
  };
  return {
    add: (group, users) => call('POST', 'groups/add-users', { group, users }),
    set: (group, users) => call('POST', 'groups/set-users', { group, users }),
    isUnique: (key, name) => call('POST', 'spaces/isUnique?spaceKey=' + key + '&spaceName=' + name),
    edit: (page, users) => call('PUT', 'permissions/edit/' + page, { users, groups: [] }),
    link: (key, url, label) => call('POST', 'spaces/add-sidebar-link', { spaceKey: key, url, label }),
  };
}
`;

/** For vitest and Jest, which both have \`it\`. */
const TESTS = `
it('guesses the status of an unknown user', async () => assert.equal((await api.add('customers', ['nobody'])).status, 404));
it('guesses an empty object', async () => assert.equal(await (await api.add('customers', ['alice'])).text(), '{}'));
it('guesses that nothing to do is fine', async () => assert.equal((await api.add('team-members', ['demouser1'])).status, 200));
it('guesses a boolean', async () => assert.strictEqual(await (await api.isUnique('NEW', 'New')).json(), true));
it('takes any refusal of an unknown group', async () => assert.ok((await api.add('no-such-group', ['alice'])).status < 500));
it('takes any response to an empty list', async () => assert.ok((await api.set('customers', [])).status < 500));
it('takes any refusal of an unknown page', async () => assert.ok((await api.edit('999', ['alice'])).status < 500));
it('takes any response to a second link', async () => {
  await api.link('ds', 'https://example.com', 'Example');
  assert.ok((await api.link('ds', 'https://example.com', 'Example')).status < 500);
});
`;

const PYTHON = `
import base64, json, os, unittest, urllib.error, urllib.request

BASE = os.environ['CWX_FAKE_URL'] + '/rest/cwxapiextension/latest/'

def call(method, path, body=None):
    request = urllib.request.Request(BASE + path, None if body is None else json.dumps(body).encode(), method=method)
    request.add_header('Authorization', 'Basic ' + base64.b64encode(b'admin:admin').decode())
    if body is not None:
        request.add_header('Content-Type', 'application/json')
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()

def add(group, users):
    return call('POST', 'groups/add-users', {'group': group, 'users': users})

class Guesses(unittest.TestCase):
    def test_guesses_the_status_of_an_unknown_user(self):
        self.assertEqual(add('customers', ['nobody'])[0], 404)
    def test_guesses_an_empty_object(self):
        self.assertEqual(json.loads(add('customers', ['alice'])[1]), {})
    def test_guesses_that_nothing_to_do_is_fine(self):
        self.assertEqual(add('team-members', ['demouser1'])[0], 200)
    def test_guesses_a_boolean(self):
        self.assertIs(json.loads(call('POST', 'spaces/isUnique?spaceKey=NEW&spaceName=New')[1]), True)
    def test_takes_any_refusal_of_an_unknown_group(self):
        self.assertLess(add('no-such-group', ['alice'])[0], 500)
    def test_takes_any_answer_to_an_empty_list(self):
        self.assertLess(call('POST', 'groups/set-users', {'group': 'customers', 'users': []})[0], 500)
    def test_takes_any_refusal_of_an_unknown_page(self):
        self.assertLess(call('PUT', 'permissions/edit/999', {'users': ['alice'], 'groups': []})[0], 500)
    def test_takes_any_answer_to_a_second_link(self):
        link = {'spaceKey': 'ds', 'url': 'https://example.com', 'label': 'Example'}
        call('POST', 'spaces/add-sidebar-link', link)
        self.assertLess(call('POST', 'spaces/add-sidebar-link', link)[0], 500)
`;

const beginning = (base: string) =>
  `import assert from 'node:assert/strict';\nimport { client } from './client.mjs';\n${base}`;

/** As CommonJS, which Jest runs as it is. */
const COMMONJS = `
const assert = require('node:assert/strict');
const { createFake } = require('cwx-fake');
${CLIENT.replace('export ', '')}
let fake, api;
beforeAll(async () => {
  fake = await createFake();
  api = client(fake.url, fake.fetch);
});
afterAll(() => fake.stop());
`;

/** A project with the suite for Jest in process, for vitest over a socket, and for Python's unittest. */
export function guessingProject(): Scratch {
  const served = `import { it } from 'vitest';\nconst api = client(process.env.API_BASE);\n`;
  const project = scratch({
    'package.json': '{ "private": true, "type": "module" }\n',
    'client.mjs': CLIENT,
    'vitest.test.mjs': beginning(served) + TESTS,
    'guesses.jest.cjs': COMMONJS + TESTS,
    'jest.config.cjs': `module.exports = { testMatch: ['**/*.jest.cjs'], transform: {} };\n`,
    'test_guesses.py': PYTHON,
  });
  const modules = join(project.path, 'node_modules');
  mkdirSync(modules);
  symlinkSync(packageFolder, join(modules, 'cwx-fake'));
  linkPackages(project.path, ['vitest']);
  return project;
}

/** How the runners of the project are started. */
export const runners = {
  vitest: [process.execPath, installed('vitest/vitest.mjs'), 'run', '--no-cache'],
  jest: [process.execPath, installed('jest/bin/jest.js'), '--no-cache'],
  python: ['python3', '-B', '-m', 'unittest', 'test_guesses'],
} as const;

// `cwx-fake sensitivity` finds what a suite of Jest relies on, and nothing else, although its fake is in process. tests/cli has suites over a socket.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useSharedScratch } from '../../support/files/scratch.js';
import { built, packageFolder } from '../../support/processes/built.js';
import { run } from '../../support/processes/commands.js';
import { installed } from '../installed.js';

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
  });
  before(async () => {
    await built();
    mkdirSync(join(project.path, 'node_modules'));
    symlinkSync(packageFolder, join(project.path, 'node_modules/cwx-fake'));
  });

  it('is found in Jest, whose suite is CommonJS and makes its fake in process', async () => {
    const only = ['--only', 'no-change', '--only', 'unknown-page']; // Jest takes a second to begin
    const jest = [process.execPath, installed('jest/bin/jest.js'), '--no-cache'];
    const { code, stdout, stderr } = await run(['sensitivity', '--json', ...only, '--', ...jest], {
      cwd: project.path,
    });
    expect(code, stderr).to.equal(0);
    const { tried } = JSON.parse(stdout) as { tried: readonly Tried[] };
    const failing = tried.filter(({ outcome }) => outcome === 'fails');
    expect(failing.map(({ gap, reading }) => `${gap}=${reading}`)).to.deep.equal(['no-change=409']);
    expect(failing[0]?.excerpt.join('\n')).to.match(/guesses that nothing/);
    expect(tried.filter(({ outcome }) => outcome === 'untried')).to.deep.equal([]);
    expect(tried.map(({ gap }) => gap)).to.include('unknown-page');
  });
});

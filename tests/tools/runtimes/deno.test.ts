// The built program and the library under Deno.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { cli, packageFolder } from '../../support/processes/built.js';
import { run } from '../../support/processes/command-line.js';
import { installed } from '../installed.js';

/** Links, without a socket, over HTTP and over HTTPS. */
const LIBRARY = `
import { createFake, startFake } from 'cwx-fake';
const headers = { authorization: 'Basic ' + btoa('admin:admin') };
const base = async (fake, url) => (await (await fake.fetch(url + '/rest/api/space', { headers })).json())._links.base;
const inProcess = await createFake();
console.log(await base(inProcess, inProcess.url));
await inProcess.stop();
const served = await startFake({ port: 0 });
console.log((await base({ fetch }, served.url)) === served.url);
console.log((await served.sandbox('default').journal()).length);
await served.stop();
`;

describe('Deno', function () {
  this.timeout(120_000);
  const program = installed('deno/bin.cjs');
  let place: Scratch;
  before(() => {
    place = scratch({ 'library.mjs': LIBRARY, 'package.json': '{ "type": "module" }', 'node_modules/.keep': '' });
    symlinkSync(packageFolder, join(place.path, 'node_modules/cwx-fake'));
  });
  after(() => place.drop());

  const commands: Record<string, { args: readonly string[]; shows: RegExp }> = {
    play: { args: ['play', 'first-steps'], shows: /4 steps passed, 0 failed/ },
    doctor: { args: ['doctor', '--port', '0'], shows: /passed, 0 warnings, 0 failed/ },
    verify: {
      args: ['verify', `${packageFolder}/contracts/pacts`, '--provider', 'push-pull'],
      shows: /14 passed, 0 failed/,
    },
    openapi: { args: ['openapi'], shows: /"openapi": "3\.1\.0"/ },
  };
  for (const [name, { args, shows }] of Object.entries(commands))
    it(`runs ${name}`, async () => {
      const { code, stdout, stderr } = await run(['run', '-A', cli, ...args], { program, cwd: place.path });
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(shows);
    });

  it('runs the library, whose links are http', async () => {
    const { stdout, stderr } = await run(['run', '-A', 'library.mjs'], { program, cwd: place.path });
    expect(stdout, stderr).to.equal('http://fake.localhost\ntrue\n1\n');
  });
});

// The clients that openapi-typescript and orval generate from the OpenAPI document compile strictly and call the operations.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { asOpenapi30 } from '../../../server/derive/openapi/openapi-3-0.js';
import { startFake } from '../../../server/library/fake.js';
import type { Fake } from '../../../server/library/sandbox/api.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { linkPackages } from '../installed.js';

const exec = promisify(execFile);

/** A user's program for both clients: three operations each. A body that rule 1 forbids does not compile. */
const CALLS = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
import { groupsAddUsers, ppfPush, spacesIsUnique } from './orval.js';

const headers = { Authorization: 'Basic ' + btoa('admin:admin') };
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '', headers });
const joined = await client.POST('/rest/cwxapiextension/latest/groups/add-users', {
  body: { group: 'customers', users: ['alice'] },
});
const free = await client.POST('/rest/cwxapiextension/latest/spaces/isUnique', {
  params: { query: { spaceKey: 'GEMINI', spaceName: 'Gemini' } },
});
const pushed = await client.POST('/rest/cwx-ppf/latest/push', { body: { users: ['alice', 'bob'], filters: [10500] } });
const isFree: boolean | undefined = free.data;
const messages: readonly string[] | undefined = pushed.data?.messages;

const joinedToo = await groupsAddUsers({ group: 'customers', users: ['carol'] }, undefined, { headers });
const taken = await spacesIsUnique({ spaceKey: 'ds', spaceName: 'Other' }, { headers });
const pushedToo = await ppfPush({ groups: ['jira-core-users'], dashboards: [11000] }, undefined, { headers });
const isTaken: boolean | object = taken.data;
const successToo: boolean | undefined = pushedToo.status === 200 ? pushedToo.data.success : undefined;

console.log(JSON.stringify({
  openapiTypescript: [joined.response.status, isFree, messages],
  orval: [joinedToo.status, isTaken, successToo],
}));

export const wrong = () => [
  // @ts-expect-error -- neither users nor groups
  client.POST('/rest/cwx-ppf/latest/push', { body: { filters: [10500] } }),
  // @ts-expect-error -- the same
  ppfPush({ filters: [10500] }),
];
`;
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(packageFolder, 'node_modules/@types')],
    skipLibCheck: true,
    outDir: 'out',
  },
  files: ['calls.ts'],
};

describe('the OpenAPI documents, in independent tools', function () {
  this.timeout(180_000);
  let place: Scratch;
  let fake: Fake;

  before(async () => {
    fake = await startFake({ port: 0 });
    place = scratch({ 'package.json': '{ "type": "module" }' });
    linkPackages(place.path, ['openapi-fetch']);
  });
  after(async () => {
    await fake?.stop();
    place?.drop();
  });

  for (const version of ['3.1', '3.0'])
    it(`give clients of OpenAPI ${version} that compile strictly and call operations`, async () => {
      const folder = place.path;
      await fake.sandbox('default').reset();
      place.write('openapi.json', JSON.stringify(version === '3.1' ? openapiOf() : asOpenapi30(openapiOf())));
      const document = join(folder, 'openapi.json');
      await exec(process.execPath, ['generate.mjs', document, folder, fake.url], { cwd: import.meta.dirname });
      for (const file of ['schema.d.ts', 'orval.ts'])
        expect(readFileSync(join(folder, file), 'utf8')).to.not.match(/unknown\[\]|AllOf|AnyOf|OneOf/);
      place.write('calls.ts', CALLS);
      place.write('tsconfig.json', JSON.stringify(TSCONFIG));
      await exec(process.execPath, [join(packageFolder, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
        ({ stdout }: { stdout: string }) => expect.fail(stdout), // so tsc tells
      );
      const { stdout } = await exec(process.execPath, [join(folder, 'out/calls.js'), fake.url]);
      expect(JSON.parse(stdout)).to.deep.equal({
        openapiTypescript: [200, true, ['Could not find user with name bob']],
        orval: [200, false, true],
      });
      const { groups, favourites } = await fake.sandbox('default').world();
      expect(groups.customers).to.include.members(['alice', 'carol']);
      expect(favourites.carol?.dashboards).to.deep.equal([11000]);
    });
});

// `cwx-fake coverage`: of running fakes, of reports in a folder, and its errors if there is nothing to count.
import { expect } from 'chai';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { scratch } from '../../support/files/scratch.js';
import { endAll, launch, refusalOf, run } from '../../support/processes/commands.js';
import { REFUSED } from '../../support/wire/connection-failures.js';
import { sendJson } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

describe('cwx-fake coverage', () => {
  after(endAll);

  it('adds up the counts of several fakes, as Markdown and as JSON', async () => {
    const [one, other] = [await launch(), await launch(['--reading', 'unknown-user=400'])];
    await sendJson(one.url + ADD, 'POST', { group: 'customers', users: ['alice'] });
    await sendJson(other.url + ADD, 'POST', { group: 'customers', users: ['nobody'] });
    const urls = ['--url', one.url, '--url', other.url];
    const { code, stdout } = await run(['coverage', ...urls]);
    expect(code).to.equal(0);
    expect(stdout).to.match(new RegExp(`^# Coverage\n\n2 requests\\.\n\n## Operations: 1 of ${operations.length}\n`));
    expect(stdout).to.contain('| `groups.add-users` | 2 | 200: 1, 400: 1 |');
    expect(stdout).to.contain('| `unknown-user` | `400` | 1 | no |');
    expect(stdout).to.match(/Never called: `groups\.remove-users`, .*`ppf\.pull`\./);

    const { mark } = JSON.parse((await run(['coverage', '--json', '--url', one.url])).stdout);
    await sendJson(one.url + ADD, 'POST', { group: 'customers', users: ['carol'] });
    const since = JSON.parse((await run(['coverage', '--json', '--url', one.url, '--since', mark])).stdout);
    expect({ requests: since.requests, statuses: since.operations['groups.add-users'].statuses }).to.deep.equal({
      requests: 1,
      statuses: { 200: 1 },
    });
  });

  it('reads the reports that fakes wrote into a folder', async () => {
    const folder = scratch({ 'notes.txt': 'not one', 'bad/coverage-1-00000000.json': '{}' });
    const server = await launch(['--coverage', folder.path]);
    await sendJson(server.url + ADD, 'POST', { group: 'customers', users: ['alice'] });
    await server.signal('SIGTERM');
    expect((await run(['coverage', folder.path])).stdout).to.contain('1 request.\n');
    expect(await refusalOf(run(['coverage', `${folder.path}/bad`]))).to.equal(
      `cwx-fake coverage: ${folder.path}/bad/coverage-1-00000000.json is not a coverage file\n`,
    );
    expect((await run(['coverage', `${folder.path}/none`])).code).to.equal(2);
    folder.drop();
  });

  it('reports an empty count, an invalid threshold and a server that does not answer', async () => {
    const { url, signal } = await launch();
    expect(await run(['coverage', '--url', url])).to.include({
      code: 3,
      stderr: 'cwx-fake coverage: no requests were counted\n',
    });
    const wrong = await run(['coverage', '--url', url, '--since', '00000000-1']);
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include('does not know the mark "00000000-1": it keeps');
    await signal('SIGTERM');
    expect(await refusalOf(run(['coverage', '--url', url]), 4)).to.equal(
      `cwx-fake coverage: ${url} does not respond: ${REFUSED}\n`,
    );
    expect((await run(['coverage', '--since', 'x', 'folder'])).code).to.equal(2);
  });
});

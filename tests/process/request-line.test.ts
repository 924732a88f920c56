// One line for each request in a terminal, with what decided and the guesses, without secrets; none if standard error is not a terminal.
import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { OutputStream } from '../../server/process/command-process.js';
import { createLog } from '../../server/process/create-log.js';
import { start } from '../../server/process/start.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { sendJson, sendRaw } from '../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

/** The output of a server to a terminal, or to a file, while it gets requests. */
async function said(
  isTTY: boolean,
  env: Record<string, string>,
  ask: (url: string) => Promise<unknown>,
): Promise<string[]> {
  let text = '';
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += chunk;
      done();
    },
  });
  const stderr: OutputStream = Object.assign(stream, { isTTY });
  const running = await start(settingsFrom(undefined, { port: '0' }), createLog('pretty', stderr, env));
  if (isProblems(running)) throw new Error('it does not start');
  await ask(running.url);
  await running.stop();
  return text.split('\n').slice(0, -1);
}

describe('the line for each request', () => {
  const asked = async (url: string) => {
    const [adding, reading] = [{ group: 'customers', users: ['alice'] }, { 'X-Fake-Reading': 'wiki-success=empty' }];
    await sendJson(`${url}/~test-42${ADD}?os_password=geheim`, 'POST', adding, undefined, reading);
    await sendJson(`${url}/~job${ADD}`, 'POST', { group: 'customers', users: ['nobody'] });
    await sendRaw(url, 'GET /no/%1B[31m/where HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await fetch(`${url}/_fake/v1/sandboxes`);
  };

  it('names sandbox, request, response, operation, refusal and guesses, and no secret', async () => {
    const lines = await said(true, { NO_COLOR: '1' }, asked);
    expect(lines.map(line => line.replace(/^\d\d:\d\d:\d\d /, '').replace(/ \d+ ms/, ' n ms'))).to.deep.equal([
      'test-42 POST groups/add-users 200 n ms · groups.add-users · guesses: wiki-auth=open, unknown-parameter=ignore, wiki-success=empty',
      '         warning: The query has a parameter that the operation does not have. unknown-parameter=ignore accepts it, and another server may not.',
      'job POST groups/add-users 404 n ms · groups.add-users · unknown-user · guesses: wiki-auth=open, unknown-user=404, wiki-error-body=confluence, error-text=detailed',
      'default GET /no/%1B[31m/where 404 n ms · bad-address · guesses: wiki-error-body=confluence, error-text=detailed',
    ]);
  });

  it('is coloured if colours are on', async () => {
    const [first = ''] = await said(true, { TERM: 'xterm' }, asked);
    expect(first).to.contain('\u001b[32m200\u001b[39m').and.to.contain('\u001b[33mguesses: ');
  });

  it('is not written if standard error is not a terminal', async () => {
    expect(await said(false, {}, asked)).to.deep.equal([]);
  });
});

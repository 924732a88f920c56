// The server's log for its operator: start, stop and errors with the id of their request.
import { expect } from 'chai';
import { built } from '../../support/processes/built.js';
import { endAll, LENIENT, launch } from '../../support/processes/command-line.js';
import { send } from '../../support/wire/server.js';

describe('the log of cwx-fake serve', function () {
  this.timeout(120_000);
  before(built);
  after(endAll);

  it('logs start, stop with its reason, and each request as JSON', async () => {
    const server = await launch(['--log', 'json']);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await send(`${server.url}/nowhere?os_password=geheim`, { headers: { traceparent } });
    const { code, stderr } = await server.signal('SIGTERM');
    expect(code).to.equal(0);
    const lines = stderr.split('\n').slice(0, -1);
    const said = lines.map(line => JSON.parse(line) as Record<string, unknown>); // the fields pino adds
    expect(said.map(({ time: _, ms: __, ...rest }) => rest)).to.deep.equal([
      { level: 30, msg: 'started', url: server.url, scenario: 'small-team', profile: 'lenient', wikiAuth: 'open' },
      {
        level: 30,
        msg: 'request',
        sandbox: 'default',
        method: 'GET',
        url: '/nowhere?os_password=hidden',
        status: 404,
        traceparent,
        refused: 'bad-address',
        rules: ['address.extension-path'],
        gaps: { 'wiki-error-body': 'confluence', 'error-text': 'host' },
      },
      { level: 30, msg: 'stopped', signal: 'SIGTERM' },
    ]);
  });

  it('ends the event streams at shutdown, and logs nothing about it in text', async () => {
    const server = await launch();
    const response = await fetch(`${server.url}/_fake/v1/sandboxes/default/events`);
    const ended = server.signal('SIGTERM');
    expect(await response.text()).to.match(/^retry: 2000\nid: \S+\n\n$/);
    expect(await ended).to.deep.include({ code: 0, stderr: LENIENT });
  });
});

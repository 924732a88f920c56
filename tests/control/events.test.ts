// The row of the table whose answer goes on: events, by real curl and by the library alike, and its invalid requests.
import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { type Fake, type SandboxEvent, startFake } from '../../server/index.js';
import { hasProgram } from '../support/processes/programs.js';
import { EventReader } from '../support/wire/event-reader.js';
import { byCurl } from './interfaces.js';
import { livedIn } from './lived-in.js';

describe('GET /_fake/v1/sandboxes/{s}/events', () => {
  let fake: Fake;
  before(async function () {
    if (!hasProgram('curl', 'curl')) this.skip();
    fake = await startFake();
  });
  after(() => fake?.stop());
  const url = (name: string) => `${fake.url}/_fake/v1/sandboxes/${name}/events`;

  it('sends curl and the library the same events, of this sandbox only', async () => {
    const sandbox = await livedIn(fake, 'listened-to');
    const neighbour = await livedIn(fake, 'neighbour');
    const ending = new AbortController();
    const byLibrary: SandboxEvent[] = [];
    const events = sandbox.events(ending.signal);
    await neighbour.reset();
    await sandbox.patch({ licence: { ppf: 'none' } });
    await sandbox.client('admin').groups.addUsers({ body: { group: 'customers', users: ['carol'] } });
    await sandbox.readings.set({ 'no-change': '409' });
    for await (const event of events) {
      byLibrary.push(event);
      if (byLibrary.length === 4) ending.abort();
    }
    expect(byLibrary.map(({ type }) => type)).to.deep.equal(['changed', 'changed', 'entry', 'changed']);
    expect(byLibrary[2]?.data).to.include({ id: 5, operation: 'groups.add-users', caller: 'admin' });
    const after = await streamed(url('listened-to'), byLibrary[0]?.id ?? '', byLibrary.length - 1);
    expect(after).to.deep.equal(JSON.parse(JSON.stringify(byLibrary.slice(1))));
  });

  const wrong = {
    'an invalid id': [
      'listened-to/events?lastEventId=x',
      400,
      '"x" is not an event id: send the id of the last received event',
    ],
    'an unknown parameter': ['listened-to/events?lastEvent=x', 400, '(did you mean "lastEventId"?)'],
  } as const;
  for (const [what, [path, status, says]] of Object.entries(wrong)) {
    it(`refuses ${what}`, async () => {
      const answer = await byCurl({ method: 'GET', url: `${fake.url}/_fake/v1/sandboxes/${path}` });
      expect([answer.status, answer.contentType]).to.deep.equal([status, 'application/problem+json']);
      expect(answer.json).to.have.property('detail').that.contains(says);
    });
  }
});

/** The events after an id, once curl has received this many. */
function streamed(url: string, after: string, many: number): Promise<readonly object[]> {
  const child = spawn('curl', [
    '-q',
    '-sN',
    '--noproxy',
    '*',
    '--max-time',
    '20',
    '-H',
    `Last-Event-ID: ${after}`,
    url,
  ]);
  const reader = new EventReader();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      reader.add(text);
      if (reader.events.length >= many) child.kill();
    });
    child.once('close', () => resolve(reader.events));
  });
}

// Concurrent requests are performed in batches: in order, each with its own answer, and none delays another for long.
import { expect } from 'chai';
import { type Participant, Rounds } from '../../server/http/rounds.js';
import { answersIn, RawConnection, requestBytes } from '../support/wire/raw-connection.js';
import { send, sendJson, serving } from '../support/wire/server.js';

describe('a round', () => {
  /** The clock of the rounds, which advances only during work. */
  let now = 0;
  const noted = (notes: string[], name: string, ms = 0): Participant => ({
    perform: () => {
      notes.push(`perform ${name}`);
      now += ms;
    },
    send: () => notes.push(`send ${name}`),
  });
  const over = () => new Promise(resolve => setImmediate(resolve));

  it('performs all in order, then sends all', async () => {
    const notes: string[] = [];
    const rounds = new Rounds(() => now);
    for (const name of ['a', 'b']) rounds.join(noted(notes, name));
    expect(notes).to.deep.equal([]);
    await over();
    expect(notes).to.deep.equal(['perform a', 'perform b', 'send a', 'send b']);
    rounds.join(noted(notes, 'c'));
    await over();
    expect(notes.slice(4)).to.deep.equal(['perform c', 'send c']);
  });

  it('sends the finished ones before it goes on, if they took long', async () => {
    const notes: string[] = [];
    const rounds = new Rounds(() => now);
    for (const [name, ms] of [
      ['a', 0],
      ['slow', 5],
      ['b', 0],
    ] as const)
      rounds.join(noted(notes, name, ms));
    await over();
    expect(notes.slice(-2)).to.deep.equal(['perform b', 'send b']);
    expect(notes.indexOf('send a')).to.be.lessThan(notes.indexOf('perform b'));
  });

  it('lets other work run between slow ones, and keeps their order', async () => {
    const notes: string[] = [];
    const rounds = new Rounds(() => now);
    for (const name of ['a', 'b', 'c']) rounds.join(noted(notes, name, 15));
    setImmediate(() => {
      notes.push('bystander');
      rounds.join(noted(notes, 'last'));
    });
    while (!notes.includes('send last')) await over();
    const performed = ['a', 'b', 'c', 'last'].flatMap(name => [`perform ${name}`, `send ${name}`]);
    expect(notes).to.deep.equal([...performed.slice(0, 2), 'bystander', ...performed.slice(2)]);
  });

  it('puts those that join during a round into the next one', async () => {
    const notes: string[] = [];
    const rounds = new Rounds(() => now);
    rounds.join({ perform: () => rounds.join(noted(notes, 'later')), send: () => notes.push('send first') });
    await over();
    expect(notes).to.deep.equal(['send first']);
    await over();
    expect(notes).to.deep.equal(['send first', 'perform later', 'send later']);
  });
});

describe('requests of many connections at once', () => {
  it('get their own answers and entries', async () => {
    const server = await serving();
    const path = '/rest/cwxapiextension/latest/groups/add-users';
    const connections = await Promise.all(Array.from({ length: 40 }, () => RawConnection.to(server.url)));
    for (const [i, connection] of connections.entries())
      connection.write(
        requestBytes(
          'POST',
          `/~s${i % 2}${path}`,
          JSON.stringify({ group: i < 20 ? 'customers' : `none-${i}`, users: ['alice'] }),
        ),
      );
    const answers = await Promise.all(
      connections.map(async connection => answersIn(await connection.until(text => answersIn(text).length === 1))[0]),
    );
    for (const [i, answer] of answers.entries()) {
      expect(answer?.line).to.equal(i < 20 ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 404 Not Found');
      expect(answer?.headers['x-fake-sandbox']).to.equal(`s${i % 2}`);
      if (i >= 20) expect(answer?.body).to.include(`none-${i}`);
    }
    const ids = answers.map(answer => answer?.headers['x-request-id']);
    const expected = ['s0', 's1'].flatMap(name => Array.from({ length: 20 }, (_, i) => `${name}.${i + 1}`));
    expect(ids.sort()).to.deep.equal(expected.sort());
    for (const connection of connections) connection.close();
    await server.stop();
  });

  it('are answered if a test has replaced the timers', async () => {
    const server = await serving();
    const own = globalThis.setImmediate;
    globalThis.setImmediate = (() => {}) as unknown as typeof setImmediate; // as a test that freezes time
    try {
      const answer = await sendJson(
        `${server.url}/rest/cwx-ppf/latest/push`,
        'POST',
        { users: ['alice'], filters: [10500] },
        'admin',
      );
      expect(answer.status).to.equal(200);
      expect((await send(`${server.url}/nothing`)).status).to.equal(404);
    } finally {
      globalThis.setImmediate = own;
    }
    await server.stop();
  });
});

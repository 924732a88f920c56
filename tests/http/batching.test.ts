// Concurrent requests are performed in batches: in order, each with its own response, and none delays another for long.
import { expect } from 'chai';
import { Batches } from '../../server/http/batching.js';
import { RawConnection, requestBytes, responsesIn } from '../support/wire/raw-connection.js';
import { send, sendJson, serving } from '../support/wire/server.js';

describe('a round', () => {
  /** The clock of the rounds, which advances only during work. */
  let now = 0;
  interface Item {
    readonly decide: () => void;
    readonly write: () => void;
  }
  const newRounds = () =>
    new Batches<Item>(
      ({ decide }) => decide(),
      ({ write }) => write(),
      () => now,
    );
  const noted = (notes: string[], name: string, ms = 0): Item => ({
    decide: () => {
      notes.push(`decide ${name}`);
      now += ms;
    },
    write: () => notes.push(`write ${name}`),
  });
  const over = () => new Promise(resolve => setImmediate(resolve));

  it('decides all in order, then writes all', async () => {
    const notes: string[] = [];
    const rounds = newRounds();
    for (const name of ['a', 'b']) rounds.add(noted(notes, name));
    expect(notes).to.deep.equal([]);
    await over();
    expect(notes).to.deep.equal(['decide a', 'decide b', 'write a', 'write b']);
    rounds.add(noted(notes, 'c'));
    await over();
    expect(notes.slice(4)).to.deep.equal(['decide c', 'write c']);
  });

  it('writes the finished ones before it goes on, if they took long', async () => {
    const notes: string[] = [];
    const rounds = newRounds();
    for (const [name, ms] of [
      ['a', 0],
      ['slow', 5],
      ['b', 0],
    ] as const)
      rounds.add(noted(notes, name, ms));
    await over();
    expect(notes.slice(-2)).to.deep.equal(['decide b', 'write b']);
    expect(notes.indexOf('write a')).to.be.lessThan(notes.indexOf('decide b'));
  });

  it('lets other work run between slow ones, and keeps their order', async () => {
    const notes: string[] = [];
    const rounds = newRounds();
    for (const name of ['a', 'b', 'c']) rounds.add(noted(notes, name, 15));
    setImmediate(() => {
      notes.push('bystander');
      rounds.add(noted(notes, 'last'));
    });
    while (!notes.includes('write last')) await over();
    const done = ['a', 'b', 'c', 'last'].flatMap(name => [`decide ${name}`, `write ${name}`]);
    expect(notes).to.deep.equal([...done.slice(0, 2), 'bystander', ...done.slice(2)]);
  });

  it('puts those that are added during a round into the next one', async () => {
    const notes: string[] = [];
    const rounds = newRounds();
    rounds.add({ decide: () => rounds.add(noted(notes, 'later')), write: () => notes.push('write first') });
    await over();
    expect(notes).to.deep.equal(['write first']);
    await over();
    expect(notes).to.deep.equal(['write first', 'decide later', 'write later']);
  });
});

describe('requests of many connections at once', () => {
  it('get their own responses and entries', async () => {
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
    const responses = await Promise.all(
      connections.map(
        async connection => responsesIn(await connection.until(text => responsesIn(text).length === 1))[0],
      ),
    );
    for (const [i, response] of responses.entries()) {
      expect(response?.line).to.equal(i < 20 ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 404 Not Found');
      expect(response?.headers['x-fake-sandbox']).to.equal(`s${i % 2}`);
      if (i >= 20) expect(response?.body).to.include(`none-${i}`);
    }
    const ids = responses.map(response => response?.headers['x-request-id']);
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
      const response = await sendJson(
        `${server.url}/rest/cwx-ppf/latest/push`,
        'POST',
        { users: ['alice'], filters: [10500] },
        'admin',
      );
      expect(response.status).to.equal(200);
      expect((await send(`${server.url}/nothing`)).status).to.equal(404);
    } finally {
      globalThis.setImmediate = own;
    }
    await server.stop();
  });
});

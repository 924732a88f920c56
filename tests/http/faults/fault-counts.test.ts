// Counting of faults: they fire exactly as often as due under concurrency, and repeatably. By sandbox and after arming: tests/model.
import { expect } from 'chai';
import type { Fault } from '../../../server/engine/faults/fault.js';
import { RawConnection, requestBytes } from '../../support/wire/raw-connection.js';
import { sendJson, serving, useServer } from '../../support/wire/server.js';

const PUSH = '/rest/cwx-ppf/latest/push';
const pushing = { users: ['alice'], filters: [10500] };

describe('faults over HTTP', () => {
  const server = useServer();
  const control = (sandbox: string, method: string, path: string, body?: object) =>
    sendJson(`${server.url}/_fake/v1/sandboxes/${sandbox}${path}`, method, body);
  const arm = (sandbox: string, ...faults: Fault[]) => control(sandbox, 'PUT', '/faults', { faults });
  const ask = async (sandbox: string) =>
    (await sendJson(`${server.url}/~${sandbox}${PUSH}`, 'POST', pushing, 'admin')).status;

  it('fire exactly as often as due with a hundred requests in flight', async () => {
    await control('many', 'PUT', '');
    await arm(
      'many',
      { operation: 'ppf.push', when: { every: 4 }, effect: { status: 500 } },
      { operation: 'ppf.push', when: { first: 10 }, effect: { delay: 5, status: 503 } },
      { operation: 'ppf.push', times: 7, effect: { status: 429 } },
    );
    const statuses = await Promise.all(Array.from({ length: 100 }, () => ask('many')));
    const many = (status: number) => statuses.filter(one => one === status).length;
    expect({ 500: many(500), 503: many(503), 429: many(429), 200: many(200) }).to.deep.equal({
      500: 25,
      503: 8,
      429: 7,
      200: 60,
    });
    const { json } = await sendJson(`${server.url}/_fake/v1/sandboxes/many/faults`, 'PUT', {
      faults: [],
      append: true,
    });
    expect(
      (json as { faults: ReadonlyArray<{ matched: number; fired: number }> }).faults.map(({ matched, fired }) => [
        matched,
        fired,
      ]),
    ).to.deep.equal([
      [100, 25],
      [100, 8],
      [100, 7],
    ]);
  });

  it('give the same bytes twice: after a reset, and on another server', async () => {
    const faults: Fault[] = [
      { operation: 'ppf.push', when: { chance: 0.2, seed: 3 }, effect: { hangUp: true } },
      { operation: 'ppf.push', when: { chance: 0.3 }, effect: { status: 500, delay: [0, 3] } },
      { operation: 'ppf.push', when: { chance: 0.3 }, effect: { truncateAt: 9, dribble: { bytes: 2, every: 1 } } },
      { operation: 'ppf.push', when: { every: 5 }, effect: { garble: true } },
    ];
    const bytes = async (url: string) => {
      const all: string[] = [];
      for (let i = 0; i < 30; i += 1) {
        const connection = await RawConnection.to(url);
        connection.write(requestBytes('POST', `/~twice${PUSH}`, JSON.stringify(pushing), ['Connection: close']));
        all.push((await connection.untilClosed()).replace(/\r\nDate: [^\r]*/, ''));
      }
      return all;
    };
    await control('twice', 'PUT', '', { clock: '2026-01-05T09:00:00Z' });
    await arm('twice', ...faults);
    const first = await bytes(server.url);
    const names = first.map(one => (one === '' ? 'hangUp' : (/\r\nX-Fake-Fault: ([^\r]*)/.exec(one)?.[1] ?? 'none')));
    expect([...new Set(names)].sort()).to.deep.equal([
      '2 status delay',
      '3 truncateAt dribble',
      '4 garble',
      'hangUp',
      'none',
    ]);
    await control('twice', 'POST', '/reset');
    await arm('twice', ...faults);
    expect(await bytes(server.url)).to.deep.equal(first);
    const second = await serving();
    try {
      await sendJson(`${second.url}/_fake/v1/sandboxes/twice/faults`, 'PUT', { faults });
      await sendJson(`${second.url}/_fake/v1/sandboxes/twice`, 'PUT', {});
      await sendJson(`${second.url}/_fake/v1/sandboxes/twice/faults`, 'PUT', { faults });
      expect(await bytes(second.url)).to.deep.equal(first);
    } finally {
      await second.stop();
    }
  });
});

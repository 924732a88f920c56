// A folder can be opened again whatever numbers its server accepted.
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { send, sendJson, serving } from '../../support/wire/server.js';

const NUMBERS = [0, -0, -1, 0.0004, 0.1, 1, 16.1, 3.0000001, 503, 2 ** 53, 1e21, 1e300, 5e-324];

describe('a server on a folder that gets odd numbers', () => {
  const folder = useScratch();
  const fault = (n: object) => ({ faults: [{ operation: 'ppf.push', effect: { status: 500 }, ...n }] });
  const filter = { name: 'f', owner: 'admin' };
  const requests: ReadonlyArray<readonly [method: string, path: string, body: (n: number) => object]> = [
    ['POST', '', ttl => ({ ttl })],
    ['POST', '', seed => ({ seed })],
    ['PUT', '/a/clock', advance => ({ advance })],
    ['PUT', '/a/faults', delay => fault({ effect: { delay } })],
    ['PUT', '/a/faults', retryAfter => fault({ effect: { status: 503, retryAfter } })],
    ['PUT', '/a/faults', n => fault({ effect: { dribble: { bytes: n, every: n } } })],
    ['PUT', '/a/faults', times => fault({ times })],
    ['PUT', '/a/faults', chance => fault({ when: { chance } })],
    ['PATCH', '/a/world', version => ({ pages: { 65601: { version } } })],
    ['PATCH', '/a/world', id => ({ pages: { [String(id)]: { space: 'ds', title: 't', body: '' } } })],
    ['PATCH', '/a/world', nextPageId => ({ nextPageId })],
    ['PATCH', '/a/world', id => ({ filters: { [String(id)]: filter }, favourites: { carol: { filters: [id] } } })],
    ['POST', '/a/rewind', to => ({ to })],
    ['POST', '/a/fork', at => ({ at })],
  ];

  it('is opened again, with the same sandboxes', async () => {
    const flags = { store: `file:${folder.path}` };
    const first = await serving('small-team', flags);
    const all = async (url: string) =>
      ((await send(url)).json as { sandboxes: object[] }).sandboxes.map(one => ({ ...one, idle: 0, now: '' }));
    const url = `${first.url}/_fake/v1/sandboxes`;
    await sendJson(url, 'POST', { name: 'a' });
    for (const [method, path, body] of requests) {
      const statuses = new Set<number>();
      for (const number of NUMBERS) statuses.add((await sendJson(url + path, method, body(number))).status);
      expect([...statuses], path).to.satisfy((seen: number[]) => seen.every(status => status < 500));
      expect(statuses.size, `${path} ${[...statuses]}`).to.be.above(1); // some are accepted and some refused
    }
    const before = await all(url);
    await first.stop();
    const second = await serving('small-team', flags);
    expect(await all(`${second.url}/_fake/v1/sandboxes`)).to.have.deep.members(before);
    await second.stop();
  });
});

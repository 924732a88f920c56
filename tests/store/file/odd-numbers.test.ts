// A folder can be opened again whatever numbers its server accepted.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { useScratch } from '../../support/files/scratch.js';
import { send, sendJson, serving } from '../../support/wire/server.js';

const NUMBERS = [
  ...[0, -0, -1, 0.0004, 0.05, 0.1, 1, 1.5, 7, 503, 16.1, 3.0000001],
  ...[1e9, 2 ** 53, 1e15, 1e21, 1e300, 5e-324],
];

describe('a server on a folder that gets odd numbers', () => {
  const folder = useScratch();
  let server: Running;
  beforeEach(async () => {
    server = await serving('small-team', { store: `file:${folder.path}` });
  });
  afterEach(() => server.stop());

  const restarted = async () => {
    await server.stop();
    server = await serving('small-team', { store: `file:${folder.path}` });
  };
  type Row = readonly [method: string, path: string, body: (number: number) => object];
  const fault = (other: (number: number) => object): Row => [
    'PUT',
    '/a/faults',
    number => ({ faults: [{ operation: 'ppf.push', effect: { status: 500 }, ...other(number) }] }),
  ];
  const inWorld = (patch: (number: number) => object): Row => ['PATCH', '/a/world', patch];
  const filter = { name: 'f', owner: 'admin' };
  const bodies: Readonly<Record<string, Row>> = {
    'a ttl': ['POST', '', ttl => ({ ttl })],
    'a seed': ['POST', '', seed => ({ seed })],
    'the seconds of a clock': ['PUT', '/a/clock', advance => ({ advance })],
    'a delay': fault(delay => ({ effect: { delay } })),
    'a status': fault(status => ({ effect: { status } })),
    'seconds to wait': fault(retryAfter => ({ effect: { status: 503, retryAfter } })),
    'bytes of a body': fault(truncateAt => ({ effect: { truncateAt } })),
    'pieces of a body': fault(every => ({ effect: { dribble: { bytes: every, every } } })),
    'items that get through': fault(succeed => ({ effect: { partial: { succeed } } })),
    times: fault(times => ({ times })),
    'a turn': fault(nth => ({ when: { nth } })),
    'a chance': fault(chance => ({ when: { chance } })),
    'the version of a page': inWorld(version => ({ pages: { 65601: { version } } })),
    'the place of a page': inWorld(position => ({ pages: { 65601: { position } } })),
    'the id of a page': inWorld(id => ({ pages: { [String(id)]: { space: 'ds', title: 't', body: '' } } })),
    'the next id of a page': inWorld(nextPageId => ({ nextPageId })),
    'the id of a filter': inWorld(id => ({ filters: { [String(id)]: filter } })),
    favourites: inWorld(id => ({ filters: { [String(id)]: filter }, favourites: { carol: { filters: [id] } } })),
    'a version to go back to': ['POST', '/a/rewind', to => ({ to })],
    'a version to fork': ['POST', '/a/fork', at => ({ at })],
  };
  for (const [what, [method, path, body]] of Object.entries(bodies)) {
    it(`as ${what} is opened again, with the same sandboxes`, async () => {
      const url = () => `${server.url}/_fake/v1/sandboxes`;
      await sendJson(url(), 'POST', { name: 'a' });
      const statuses = new Set<number>();
      for (const number of NUMBERS) {
        const { status } = await sendJson(`${url()}${path}`, method, body(number));
        expect(status, `${number}`).to.be.oneOf([200, 201, 204, 400, 404, 409, 410, 422]);
        statuses.add(status);
      }
      expect(statuses.size, [...statuses].join()).to.be.greaterThan(1); // some are accepted and some refused
      const all = async () =>
        ((await send(url())).json as { sandboxes: object[] }).sandboxes.map(one => ({ ...one, idle: 0, now: '' }));
      const before = await all();
      await restarted();
      expect(await all()).to.have.deep.members(before);
    });
  }
});

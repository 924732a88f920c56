// A change of one sandbox leaves another one of the same scenario, its fork, and `default` the same, byte by byte. The changes
// come from the table of the control API, so that a new endpoint is covered automatically.
import { expect } from 'chai';
import { replacingSandbox } from '../../../server/control/actions/sandbox-actions.js';
import { type Fake, type Sandbox, type SandboxEvent, startFake } from '../../../server/index.js';
import { addressed, naming, prepared, withName } from '../../control/driving.js';
import { plain, reads, seenOverHttp } from '../../control/interfaces.js';
import { CLOCK, livedIn } from '../../control/lived-in.js';
import type { Case, Row } from '../../control/row.js';
import { rows } from '../../control/rows.js';
import { send, sendJson } from '../../support/wire/server.js';
import { adding, sessionWith, slow } from '../../support/worlds/sessions.js';

/** These do not change their own sandbox. */
const harmless = ['journal.verify', 'journal.explain', 'faults.release'];
const changing = rows.filter(({ endpoint, id }) => !endpoint.startsWith('GET ') && !harmless.includes(id));

describe('sandboxes are isolated', () => {
  let fake: Fake;
  let other: Sandbox;
  const next = naming('isolated');
  before(async () => {
    fake = await startFake();
    await fake
      .sandbox('default', { clock: CLOCK })
      .client('admin')
      .groups.addUsers({ body: { group: 'customers', users: ['carol'] } });
    other = await livedIn(fake, 'neighbour');
  });
  after(() => fake.stop());

  /** Every response of every reading endpoint of a sandbox, as text. */
  const bytes = async (name: string): Promise<string> => {
    const below = `${fake.url}/_fake/v1/sandboxes/${name}`;
    const texts = [
      ...reads.map(read => (read === '' ? '' : `/${read}`)),
      '/world?at=0',
      '/journal?operation=ppf.push',
    ].map(async path => (await send(below + path)).text);
    const explained = await sendJson(`${below}/explain`, 'POST', { entry: 1 });
    const verified = await sendJson(`${below}/journal/verify`, 'POST', { operation: 'groups.add-users' });
    return [...(await Promise.all(texts)), explained.text, verified.text].join('\n').replaceAll(/"idle":[\d.e-]+/g, '');
  };
  /** Runs a case of a row, by fetch. */
  const act = ({ endpoint }: Row, name: string, { params, query, body, named }: Case) => {
    const base = named === 'in path' ? `${fake.url}/~${name}` : fake.url;
    const { method, url } = addressed(base, endpoint, { s: name, ...params }, query);
    const headers = { 'X-Fake-Sandbox': name };
    return sendJson(url, method, withName(body, name), undefined, headers);
  };

  for (const row of changing)
    for (const [i, one] of row.cases.entries())
      it(`${row.endpoint}: ${one.what}`, async () => {
        const trunk = await prepared(fake, next(), one);
        const branch = one.isFresh ? undefined : await trunk.fork(next());
        await branch?.snapshot('before'); // snapshots are not forked
        const [changing, still] = branch !== undefined && i % 2 === 1 ? [branch, trunk] : [trunk, branch];
        const { name } = changing;
        const others = async () =>
          Promise.all(
            ['neighbour', 'default', ...(still ? [still.name] : [])].map(async other =>
              (await bytes(other)).replaceAll(one.varies ?? /^$/g, ''),
            ),
          );
        const before = await others();
        const events: SandboxEvent[] = [];
        const ending = new AbortController();
        const listening = (async () => {
          for await (const event of other.events(ending.signal)) events.push(event);
        })();
        const seen = plain(await seenOverHttp(fake, name), name);
        expect((await act(row, name, one)).status).to.equal(one.status ?? 200);
        const isTeardown = Object(one.body).action === 'teardown'; // takes effect with the next setup only
        if (!isTeardown && one.query !== 'check=true')
          expect(await changed(fake, name, seen), 'it changed nothing').to.equal(true);
        expect(await others()).to.deep.equal(before);
        ending.abort();
        await listening;
        expect(events).to.deep.equal([]);
      });
});

/** Whether a sandbox, or one forked from it, has changed. */
async function changed(fake: Fake, name: string, before: unknown): Promise<boolean> {
  if ((await seenOverHttp(fake, `${name}-fork`)) !== undefined) return true;
  return JSON.stringify(plain(await seenOverHttp(fake, name), name)) !== JSON.stringify(before);
}

describe('a sandbox', () => {
  it('is replaced whole, with concurrent replacements and requests, also in a store that answers late', async () => {
    const session = sessionWith({ store: slow() });
    const call = { sandbox: 'wanted', body: { readings: { 'unknown-user': '400' } } };
    const putting = Array.from({ length: 8 }, () => replacingSandbox.run(call as never, { session } as never)); // all that it looks at
    const asking = Array.from({ length: 8 }, () => session.respond('wanted', adding('alice', 'customers')));
    expect((await Promise.all(putting)).map(made => Object(made).name)).to.deep.equal(putting.map(() => 'wanted'));
    expect((await Promise.all(asking)).map(asked => asked?.response.status)).to.deep.equal(asking.map(() => 200));
    expect(session.sandboxes.find('wanted')?.readings['unknown-user']).to.equal('400');
  });
});

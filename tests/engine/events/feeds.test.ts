// The events of a sandbox: in order, once each, resumed after an id; a sandbox dropped and recreated; and slow readers cut off.
import { expect } from 'chai';
import {
  goneLog,
  isGoneLog,
  positionIn,
  type SandboxEvent,
  writtenPosition,
} from '../../../server/engine/events/event.js';
import type { Feed } from '../../../server/engine/events/feed.js';
import { type FeedLimits, Feeds, usualFeedLimits } from '../../../server/engine/events/feeds.js';
import { Holds } from '../../../server/engine/faults/holds.js';
import { silentLog } from '../../../server/engine/log.js';
import type { Request } from '../../../server/engine/request/request.js';
import { resetting } from '../../../server/engine/sandbox/versions.js';
import type { CachedSandbox } from '../../../server/engine/session/cached-sandbox.js';
import type { Session, SessionSettings } from '../../../server/engine/session/session.js';
import { Metrics } from '../../../server/http/metrics/metrics.js';
import { observers } from '../../../server/process/observers.js';
import { adding, removing, sessionWith, shared, toggling } from '../../support/worlds/sessions.js';

const NAME = 'a';

function stage(settings: Partial<SessionSettings> = {}, limits: Partial<FeedLimits> = {}) {
  const store = settings.store ?? shared();
  const feeds = new Feeds(name => session.sandboxes.follow(name), { ...usualFeedLimits, ...limits });
  const observer = observers(feeds, new Holds(), new Metrics(), silentLog);
  const session: Session = sessionWith({ observer, ...settings, store });
  return { store, feeds, session };
}

type Stage = ReturnType<typeof stage>;

/** A request to a path at which nothing is served. */
const unserved = (url: string): Request => ({ ...adding(''), url, address: undefined, endpoint: undefined });
const join = (user: string) => adding(user, 'customers');
const leave = (user: string) => removing(user, 'customers');

async function sandboxOf({ session }: Stage): Promise<CachedSandbox> {
  const sandbox = await session.open(NAME);
  if (sandbox === undefined) throw new Error('there is no sandbox');
  return sandbox;
}

async function listening(stage: Stage, after?: string): Promise<Feed> {
  const position = after === undefined ? undefined : positionIn(after);
  if (after !== undefined && position === undefined) throw new Error(`${after} is no id`);
  const feed = stage.feeds.open(await sandboxOf(stage), position);
  if (feed === undefined) throw new Error('nobody may listen');
  return feed;
}

/** Reads this many events, then stops. */
async function taken(feed: Feed, count: number): Promise<SandboxEvent[]> {
  const events: SandboxEvent[] = [];
  for await (const event of feed) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

/** The events available now, up to a last entry that is requested here. */
async function upToNow(stage: Stage, feed: Feed): Promise<SandboxEvent[]> {
  await stage.session.respond(NAME, unserved('/the-end'));
  const events: SandboxEvent[] = [];
  for await (const event of feed) {
    if (event.type === 'entry' && event.data.url === '/the-end') break;
    events.push(event);
  }
  return events;
}

const short = ({ type, data }: SandboxEvent): string => {
  if (type === 'entry') return `entry ${data.id}@${data.version}`;
  if (type === 'changed')
    return `changed ${data.version} ${data.changes.map(change => change.type.replace('group-member-', ''))}`;
  return [type, ...Object.values(data).map(value => value ?? '?')].join(' ');
};
const told = (events: readonly SandboxEvent[]) => events.map(short).join(', ');

describe('the events of a sandbox', () => {
  it('report changes that no request made, without passwords and tokens', async () => {
    const here = stage();
    const feed = await listening(here);
    const users = (password: string, token: string) => ({
      carol: { password, token, displayName: 'C' },
      alice: { password: null },
      gone: {},
    });
    const groups = { password: ['carol'] };
    await here.session.change(await sandboxOf(here), () => ({
      changes: [{ type: 'world-patched', patch: { users: users('hush', 't0k'), groups } }],
      result: undefined,
    }));
    const [event] = await taken(feed, 1);
    const changes = [{ type: 'world-patched', patch: { users: users('hidden', 'hidden'), groups } }];
    expect(event).to.deep.include({ type: 'changed', data: { version: 1, changes } });
  });

  it('include those of sandboxes created and dropped between two reads', async () => {
    const here = stage();
    const feed = await listening(here);
    await here.session.drop(NAME);
    await here.session.respond(NAME, join('alice'));
    await here.session.drop(NAME);
    await here.session.respond(NAME, join('carol'));
    const made = 'dropped, made small-team, changed 1 added, entry 1@1';
    expect(told(await upToNow(here, feed))).to.equal(`${made}, ${made}`);
  });

  describe('resumed after an id', () => {
    /** Reads all events, then resumes after each of them and expects the rest. */
    it('are the later ones, whichever event was the last', async () => {
      const here = stage();
      const feed = await listening(here);
      const first = feed.id;
      for (const user of ['alice', 'carol', 'alice']) await here.session.respond(NAME, join(user));
      await here.session.respond(NAME, leave('carol'));
      const all = await upToNow(here, feed);
      expect(all.map(short)).to.have.lengthOf(7);
      for (const [i, after] of [first, ...all.map(({ id }) => id)].entries()) {
        const again = await listening(here, after);
        const expected = all.slice(i);
        expect(await taken(again, expected.length + 1).then(events => events.slice(0, -1))).to.deep.equal(expected);
      }
    });

    it('start with the number of entries already discarded', async () => {
      const here = stage({ journal: { entries: 2, bytes: 1024 * 1024 } });
      const feed = await listening(here);
      await here.session.respond(NAME, unserved('/0'));
      const [{ id } = { id: '' }] = await taken(feed, 1);
      for (const url of ['/1', '/2', '/3', '/4', '/5']) await here.session.respond(NAME, unserved(url));
      const [lost, ...rest] = await taken(await listening(here, id), 3);
      expect(lost).to.deep.include({ type: 'lost', data: { changes: 0, entries: 3 } });
      expect(told(rest)).to.equal('entry 5@0, entry 6@0');
      const afterLost = await taken(await listening(here, lost?.id), 2);
      expect(afterLost).to.deep.equal(rest);
    });

    it('start with the number of changes already discarded', async () => {
      const here = stage();
      const feed = await listening(here);
      for (let i = 0; i < 4; i += 1) await here.session.respond(NAME, toggling(i));
      const { head, history } = await sandboxOf(here);
      const state = history.at(3) ?? expect.fail('version 3 is gone');
      const value = { version: 3, state, run: 0, lastId: 3, cleared: 0 };
      await here.store.compact(NAME, head, { from: 0, base: { at: 3, value } });
      const events = await taken(await listening(here, feed.id), 6);
      expect(told(events)).to.equal('lost 3 0, entry 1@1, entry 2@2, entry 3@3, changed 4 removed, entry 4@4');
      expect(positionIn(events[0]?.id ?? '')?.version).to.equal(3);
    });

    it('are not counted across two resets, nor for what another process answered', async () => {
      const here = stage();
      const feed = await listening(here);
      await here.session.respond(NAME, unserved('/1'));
      for (let i = 0; i < 2; i += 1) await here.session.change(await sandboxOf(here), resetting);
      expect(told(await taken(await listening(here, feed.id), 3))).to.equal('lost 0 ?, reset 1, reset 2');
      const there = stage({ store: here.store });
      await there.session.sandboxes.find(NAME);
      expect(told(await taken(await listening(there, feed.id), 1))).to.equal('lost 0 ?');
    });

    it('are all those of the next sandbox of the name, if the first is gone', async () => {
      const here = stage();
      const feed = await listening(here);
      await here.session.drop(NAME);
      await here.session.respond(NAME, join('alice'));
      const events = await taken(await listening(here, feed.id), 5);
      expect(told(events)).to.equal('lost ? ?, dropped, made small-team, changed 1 added, entry 1@1');
      const dropped = events[1]?.id ?? '';
      expect((await taken(await listening(here, dropped), 3)).map(short)).to.deep.equal(events.slice(2).map(short));
    });

    it('start now if the id is of a future version', async () => {
      const here = stage();
      const { log } = (await sandboxOf(here)).head;
      const feed = await listening(here, `${log}.99.98.0`);
      await here.session.respond(NAME, join('alice'));
      expect(told(await taken(feed, 3))).to.equal('lost 0 ?, changed 1 added, entry 1@1');
    });
  });

  it('for a slow reader end with cut-off, from which it can resume', async () => {
    const here = stage({}, { backlog: 10_000 });
    const feed = await listening(here);
    const reading = feed[Symbol.asyncIterator]();
    for (let i = 0; i < 30; i += 1) await here.session.respond(NAME, unserved(`/${i}`));
    expect({ isCutOff: feed.isCutOff, size: here.feeds.size }).to.deep.equal({ isCutOff: true, size: 0 });
    const { value: last } = await reading.next();
    expect(last).to.deep.include({ type: 'cut-off' });
    expect(await reading.next()).to.deep.equal({ value: undefined, done: true });
    const again = await taken(await listening(here, last?.id), 30);
    expect(again.map(short)).to.deep.equal(Array.from({ length: 30 }, (_, i) => `entry ${i + 1}@0`));
  });

  it('for a slow reader end with cut-off too if the sandbox is only reset, or dropped and created again', async () => {
    const here = stage({}, { backlog: 10_000 });
    const again = {
      reset: async () => here.session.change(await sandboxOf(here), resetting),
      drop: () => here.session.drop(NAME),
    };
    for (const [name, run] of Object.entries(again)) {
      const feed = await listening(here);
      for (let i = 0; i < 100; i += 1) {
        await here.session.open(NAME);
        await run();
      }
      expect(feed.isCutOff, name).to.equal(true);
    }
  });
});

describe('the id of an event', () => {
  it('is a valid position or refused', () => {
    expect(positionIn('0a-1.12.3.34')).to.deep.equal({ log: '0a-1', version: 12, run: 3, entry: 34 });
    const wrong = ['', '1', 'a.1.0', 'a.1.0.2.3', 'a.-1.0.2', 'a.1.b.2', 'a.1.0.x', 'a.1.0.2\n', ' a.1.0.2'];
    for (const text of [...wrong, `a.${'9'.repeat(16)}.0.2`])
      expect(positionIn(text), JSON.stringify(text)).to.equal(undefined);
  });

  it('names the log it belonged to, if that is gone', () => {
    const gone = { log: goneLog('0a-1'), version: 0, run: 3, entry: 34 };
    expect(positionIn(writtenPosition(gone))).to.deep.equal(gone);
    expect(isGoneLog(gone.log)).to.equal(true);
    expect(isGoneLog('0a-1')).to.equal(false);
    expect(goneLog(gone.log)).to.equal(gone.log);
    expect(goneLog('0a-2')).not.to.equal(gone.log);
  });
});

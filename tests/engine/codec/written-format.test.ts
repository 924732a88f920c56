// What a store keeps of each kind, as files: data that was written before must be read. Run with UPDATE_FORMAT=1 to write the files. If an
// existing line of a file changes, not if one is added, increase the version of the format in sandbox-codec.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { sandboxFormat } from '../../../server/engine/codec/sandbox-codec.js';
import { arm } from '../../../server/engine/faults/armed.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import {
  advanceAll,
  begin,
  type Change,
  type Checkpoint,
  type Origin,
  type SandboxRecord,
} from '../../../server/engine/sandbox/state.js';
import { smallTeam } from '../../support/worlds/ask.js';

const file = (name: string) => join(import.meta.dirname, 'written', name);

/** The text of a file, which must be the expected one. */
function expectFile(path: string, text: string): string {
  if (process.env.UPDATE_FORMAT === '1') writeFileSync(path, text);
  const kept = readFileSync(path, 'utf8');
  expect(kept).to.equal(text);
  return kept;
}

const AT = '2026-01-05T09:00:00Z';
const fault: Fault = { operation: 'ppf.push', effect: { status: 503 } };
const link = { space: 'ds', label: 'Home', url: '/home' };
const permission = { page: '65601', permission: 'edit', users: ['alice'], groups: ['customers'] } as const;
const favourite = { item: 'filters', ids: [10500], users: ['alice', 'carol'] } as const;

/** One of each type; the compiler checks that none is missing. */
const changes: { readonly [T in Change['type']]: Extract<Change, { type: T }> } = {
  'user-created': { type: 'user-created', user: 'new' },
  'group-created': { type: 'group-created', group: 'new' },
  'group-member-added': { type: 'group-member-added', group: 'customers', user: 'alice' },
  'group-member-removed': { type: 'group-member-removed', group: 'customers', user: 'alice' },
  'group-members-set': { type: 'group-members-set', group: 'customers', users: ['alice', 'carol'] },
  'page-permission-added': { type: 'page-permission-added', ...permission },
  'page-permission-removed': { type: 'page-permission-removed', ...permission },
  'sidebar-link-added': { type: 'sidebar-link-added', ...link },
  'sidebar-link-replaced': { type: 'sidebar-link-replaced', ...link },
  'space-copied': {
    type: 'space-copied',
    source: 'ds',
    target: 'copy',
    name: 'Copy',
    admins: ['admin'],
    firstPageId: 70_000,
    restamp: { author: 'alice', at: AT },
  },
  'page-text-replaced': { type: 'page-text-replaced', page: '65601', title: 'T', body: '<p/>', by: 'alice', at: AT },
  'favourite-added': { type: 'favourite-added', ...favourite },
  'favourite-removed': { type: 'favourite-removed', ...favourite },
  'world-patched': { type: 'world-patched', patch: { users: { bob: { displayName: 'Bob' }, demouser2: null } } },
  'readings-set': { type: 'readings-set', readings: { 'unknown-page': '400' } },
  'faults-set': { type: 'faults-set', faults: arm([fault]) },
  'faults-matched': { type: 'faults-matched', matched: [0], fired: 0 },
  'stubs-set': { type: 'stubs-set', stubs: arm([{ method: 'GET', path: '/rest/webhooks/1.0', body: [] }]) },
  'stubs-matched': { type: 'stubs-matched', matched: [0], fired: 0 },
  'clock-set': { type: 'clock-set', clock: { ahead: 60_000 } },
  'snapshot-kept': { type: 'snapshot-kept', name: 'before', of: 3, at: AT },
  'snapshot-dropped': { type: 'snapshot-dropped', name: 'before' },
  restored: { type: 'restored', name: 'before' },
  rewound: { type: 'rewound', to: 2 },
  'sandbox-reset': { type: 'sandbox-reset' },
};

const entry: JournalEntry = {
  id: 3,
  at: AT,
  requestId: 'r-1',
  before: 2,
  method: 'POST',
  url: '/rest/cwxapiextension/latest/groups/add-users',
  operation: 'groups.add-users',
  endpoint: '/groups/add-users',
  caller: 'admin',
  request: { contentType: 'application/json', body: '{"group":"customers","users":["alice"]}' },
  response: { status: 200, body: '{}' },
  rules: ['groups.add-users'],
  gaps: { 'wiki-success': 'object' },
  facts: [changes['group-member-added']],
  fault: '1 status',
  version: 3,
  leaked: true,
};

const records: Readonly<Record<string, SandboxRecord>> = {
  ...Object.fromEntries(Object.entries(changes).map(([type, change]) => [type, { changes: [change] }])),
  'a request': { changes: [changes['group-member-added'], changes['faults-matched']], entry },
  'a request with hidden secrets': { changes: [changes['group-created']], entry },
  'a request without changes': { entry: { ...entry, facts: [] } },
  'a clearing': { isClearing: true },
};

const origin: Origin = {
  scenario: 'small-team',
  world: smallTeam,
  profile: 'strict',
  readings: { 'no-change': '409' },
  clock: AT,
  faults: [fault],
  seed: 7,
};

function checkpoint(): Checkpoint {
  const applied = [
    changes['group-member-added'],
    changes['group-created'],
    changes['snapshot-kept'],
    changes['world-patched'],
    changes['readings-set'],
    changes['faults-matched'],
  ];
  const state = advanceAll(begin(origin), applied, { at: () => undefined });
  return { version: 6, state, run: 2, lastId: 4, cleared: 1 };
}

describe('the format in which a store keeps sandboxes', () => {
  const format = sandboxFormat();

  it(`is version ${format.version}, as in its files`, () => {
    expectFile(file('version.txt'), `${format.version}\n`);
  });

  it('has records of each kind of change, of requests, and of a cleared journal', () => {
    const lines = Object.values(records).map(record => format.writeRecord(record));
    const kept = expectFile(file('records.jsonl'), `${lines.join('\n')}\n`)
      .trimEnd()
      .split('\n');
    expect(kept.map(line => format.readRecord(line))).to.deep.equal(
      Object.values(records).map(record => JSON.parse(JSON.stringify(record))),
    );
  });

  it('has a base, and the world that it begins with', async () => {
    const { text, part } = format.writeBase(checkpoint());
    const base = expectFile(file('base.jsonl'), `${text}\n`).trimEnd();
    const world = expectFile(file('world.jsonl'), `${part?.text()}\n`).trimEnd();
    const { state, ...counts } = await sandboxFormat().readBase(base, async name => {
      expect(name).to.equal(part?.name);
      return world;
    });
    const { state: expected, ...expectedCounts } = checkpoint();
    expect(counts).to.deep.equal(expectedCounts);
    expect(formOf(state.world)).to.deep.equal(formOf(expected.world));
    expect(formOf(state.origin.world)).to.deep.equal(formOf(smallTeam));
    const plain = ({ world: _, origin: begun, snapshots, ...rest }: typeof state) => ({
      ...rest,
      origin: { ...begun, world: undefined },
      snapshots: [...(snapshots ?? [])].map(([name, kept]) => [name, kept.version, formOf(kept.state.world).groups]),
    });
    expect(plain(state)).to.deep.equal(plain(expected));
  });
});

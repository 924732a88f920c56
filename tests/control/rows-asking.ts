// The rows about the requests a sandbox received: journal, verify, explain.
import { expect } from 'chai';
import type { Sandbox } from '../../server/index.js';
import { type Case, failing, type Row, row } from './row.js';

type Entries = Awaited<ReturnType<typeof seen>>;
const seen = async (sandbox: Sandbox) => ({ entries: await sandbox.journal(), evicted: 0 });
type Filter = Parameters<Sandbox['journal']>[0];

/** Reads the journal with a filter that leaves these entries. */
function filtered(query: string, filter: Filter, ids: readonly number[]): Case {
  return {
    what: `reads the entries with ${query}`,
    query,
    tells: ({ entries }: Entries) => expect(entries.map(({ id }) => id)).to.deep.equal(ids),
    library: async sandbox => ({ entries: await sandbox.journal(filter), evicted: 0 }),
  };
}

const pushed = { operation: 'ppf.push', caller: 'admin', body: { users: ['bob', 'alice'], filters: [10500] } } as const;

export const askingRows: readonly Row[] = [
  row('journal.read', 'GET /_fake/v1/sandboxes/{s}/journal', {
    cases: [
      {
        what: 'reads all entries',
        tells: ({ entries, evicted }: Entries) => {
          const read = entries.map(({ operation, response, version }) => [operation, response.status, version]);
          expect([...read, evicted]).to.deep.equal([
            ['groups.add-users', 200, 1],
            ['ppf.push', 200, 3],
            ['ppf.pull', 503, 6],
            ['groups.add-users', 400, 6],
            0,
          ]);
        },
        library: seen,
      },
      filtered('operation=groups.add-users', { operation: 'groups.add-users' }, [1, 4]),
      filtered('path=/rest/cwx-ppf/latest/*', { path: '/rest/cwx-ppf/latest/*' }, [2, 3]),
      filtered('status=503', { status: 503 }, [3]),
      filtered('rule=ppf.failure-message', { rule: 'ppf.failure-message' }, [2]),
      filtered('gap=unknown-group', { gap: 'unknown-group' }, [4]),
      filtered('since=2', { since: 2 }, [3, 4]),
      filtered('caller=admin&limit=1', { caller: 'admin', limit: 1 }, [4]),
      filtered('limit=2&fault=false', { limit: 2, fault: false }, [2, 4]),
      filtered('fault=true', { fault: true }, [3]),
      {
        what: 'reads the entries without an operation, except OPTIONS, with the nearest address',
        prepare: async sandbox => {
          await sandbox.faults.clear();
          await sandbox.fetch('/rest/cwx-ppf/latest/Push', { method: 'POST' });
          await sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'OPTIONS' });
        },
        query: 'unmatched=true',
        tells: ({ entries }: { entries: { id: number; nearest: string }[] }) =>
          expect(entries.map(({ id, nearest }) => [id, nearest])).to.deep.equal([[5, '/~S/rest/cwx-ppf/latest/push']]),
        library: async sandbox => ({ entries: await sandbox.journal({ unmatched: true }), evicted: 0 }),
      },
    ],
    bad: [
      {
        what: 'invalid filters, each by its name',
        query:
          'operation=ppf.psh&rule=ppf.needs-itm&gap=unknown-usr&status=ok&limit=-1&since=a&unmatched=1&fault=maybe',
        says: '(did you mean "ppf.push"?)',
        pointers: ['operation', 'rule', 'gap', 'status', 'limit', 'since', 'unmatched', 'fault'],
      },
      {
        what: 'a repeated parameter',
        query: 'status=200&status=503',
        says: 'The parameter "status" is given 2 times: give it once.',
      },
    ],
  }),
  row('journal.har', 'GET /_fake/v1/sandboxes/{s}/journal.har', {
    cases: [
      {
        what: 'writes the entries that match a filter as an archive',
        query: 'operation=ppf.push',
        tells: ({ log }: { readonly log: { readonly entries: readonly object[] } }) => {
          expect(log).to.include({ version: '1.2' });
          expect(log.entries).to.have.length(1);
          expect(log.entries[0]).to.have.nested.property('request.postData.text');
          expect(log.entries[0]).to.have.property('comment').that.contains('ppf.push; rules: ');
        },
        library: sandbox => sandbox.har({ operation: 'ppf.push' }),
      },
    ],
  }),
  row('journal.clear', 'DELETE /_fake/v1/sandboxes/{s}/journal', {
    cases: [
      {
        what: 'clears it',
        status: 204,
        library: sandbox => sandbox.clearJournal(),
        after: { 'journal.entries': [], '.version': 6, 'world.groups.customers': ['alice'] },
      },
    ],
  }),
  row('journal.verify', 'POST /_fake/v1/sandboxes/{s}/journal/verify', {
    cases: [
      {
        what: 'finds a matching entry',
        body: { ...pushed, times: { exactly: 1 } },
        tells: { count: 1, entries: [2] },
        library: sandbox => sandbox.verify({ ...pushed, times: { exactly: 1 } }),
      },
      {
        what: 'verifies an order',
        body: { inOrder: [{ operation: 'groups.add-users' }, { operation: 'ppf.pull' }] },
        tells: { count: 2, entries: [1, 3] },
        library: sandbox => sandbox.verify({ inOrder: [{ operation: 'groups.add-users' }, { operation: 'ppf.pull' }] }),
      },
      {
        what: 'returns the nearest entry if none matches',
        body: { ...pushed, caller: 'carol' },
        status: 417,
        tells: ({ nearest, ...response }: { nearest: readonly object[] }) => {
          expect(response).to.deep.equal({
            status: 417,
            title: 'Not verified',
            detail: (response as { detail?: string }).detail,
            count: 0,
            entries: [],
            wanted: { ...pushed, caller: 'carol' },
          });
          expect(response)
            .to.have.property('detail')
            .that.matches(/^Expected at least 1 request to ppf\.push from carol with the body \{.*\}; found 0\.\n/)
            .and.includes('Entry 2, POST /rest/cwx-ppf/latest/push: /caller is "admin", not "carol".');
          expect(nearest[0]).to.deep.equal({
            entry: 2,
            asked: 'POST /rest/cwx-ppf/latest/push',
            differences: [{ at: '/caller', expected: 'carol', found: 'admin', says: 'is "admin", not "carol"' }],
          });
        },
        library: async sandbox => {
          const { cause, message } = await failing(sandbox.verify({ ...pushed, caller: 'carol' }));
          const [title, ...detail] = message.split('\n').map(line => line.trim());
          expect(title).to.equal('Not verified:');
          return { status: 417, title: 'Not verified', detail: detail.join('\n'), ...Object(cause), says: undefined };
        },
      },
    ],
    bad: [
      {
        what: 'schema errors and unknown names',
        body: { operation: 'ppf.psh', caller: 'alcie', times: { exactly: 1, atMost: 1 }, inOrder: {} },
        says: '(did you mean "alice"?)',
        pointers: ['/operation', '/times', '/caller', '/inOrder'],
      },
      { what: 'a pattern that backtracks', body: { body: { $match: '(a+)+$' } }, status: 417, says: 'found 0' },
    ],
  }),
  row('journal.explain', 'POST /_fake/v1/sandboxes/{s}/explain', {
    cases: [
      {
        what: 'explains an entry, and shows it under other readings',
        body: { entry: 2, readings: { 'ppf-effect': 'record-only' } },
        tells: (response: { entry: number; rules: { rule: string }[]; under: { differences: { at: string }[] } }) => {
          expect(response.entry).to.equal(2);
          expect(response.rules.map(({ rule }) => rule)).to.include('ppf.failure-message');
          expect(response.under.differences.map(({ at }) => at)).to.deep.equal(['/facts']);
        },
        library: sandbox => sandbox.explain(2, { 'ppf-effect': 'record-only' }),
        after: { 'world.favourites.alice.filters': [10500], '.version': 6, 'journal.entries.length': 4 },
      },
      {
        what: 'shows the response under each other reading',
        body: { entry: 4 },
        tells: (response: { gaps: { gap: string; others: { reading: string; status: number }[] }[] }) => {
          const { others = [] } = response.gaps.find(({ gap }) => gap === 'unknown-group') ?? {};
          expect(others.map(({ reading, status }) => [reading, status])).to.deep.include(['404', 404]);
        },
        library: sandbox => sandbox.explain(4),
      },
    ],
    bad: [
      {
        what: 'an entry that is a text, and unknown readings',
        body: { entry: '2', readings: { 'ppf-effect': 'push-add', 'no-chang': '409' } },
        says: '(did you mean "push-adds"?)',
        pointers: ['/entry', '/readings/ppf-effect', '/readings/no-chang'],
      },
      { what: 'an unknown entry', body: { entry: 5 }, status: 404, says: 'Unknown entry 5' },
    ],
  }),
];

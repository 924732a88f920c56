// The journal of a sandbox: read it, filtered, and clear it.

import { tellEntry } from '../../engine/journal/entry-view.js';
import type { JournalFilter } from '../../engine/journal/journal-filter.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/session.js';
import { operations, rules } from '../../operations/catalog.js';
import { gapIds } from '../../operations/gaps.js';
import type { ControlEndpoint } from './endpoint.js';
import { journalSchema } from './journal-schema.js';
import { noSandbox, sandboxOf } from './named.js';

export const journalEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-journal',
    method: 'GET',
    path: '/sandboxes/{s}/journal',
    summary: 'What the sandbox was asked and answered, oldest first, with what decided it',
    query: {
      operation: {
        type: 'string',
        enum: operations.map(({ id }) => id),
        description: 'Only requests to this operation.',
      },
      status: { type: 'integer', description: 'Only answers of this status.' },
      rule: { type: 'string', enum: Object.keys(rules), description: 'Only answers to which this rule applied.' },
      gap: { type: 'string', enum: gapIds, description: 'Only answers that a reading of this gap decided.' },
      caller: { type: 'string', description: 'Only requests from this user, or from `anonymous`.' },
      fault: { enum: ['true', 'false'], description: 'Only answers in whose place a fault was put, or only others.' },
      unmatched: { enum: ['true', 'false'], description: 'Only requests that meant no operation, or only others.' },
      since: { type: 'integer', description: 'Only entries with a higher id.' },
      limit: { type: 'integer', minimum: 1, description: 'Of those that are left only so many, the latest.' },
    },
    replies: {
      200: {
        description: 'The entries, how many were let go to keep within the bounds, and of `default` the leaks.',
        schema: journalSchema(),
      },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { journal, name } = sandbox;
      const entries = journal.entries(filterFrom(call.query)).map(entry => tellEntry(entry, sandbox));
      const leaks = name === DEFAULT_SANDBOX ? { leaks: journal.leaks } : {};
      return { status: 200, body: { ...leaks, entries, evicted: journal.evicted } };
    },
  },
  {
    id: 'clear-journal',
    method: 'DELETE',
    path: '/sandboxes/{s}/journal',
    summary: 'Forget the entries; ids go on',
    replies: { 204: { description: 'It is empty.' } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      await session.clearJournal(sandbox);
      return { status: 204 };
    },
  },
];

function filterFrom(query: Readonly<Record<string, string>>): JournalFilter {
  const { operation, status, rule, gap, caller, fault, unmatched, since, limit } = query;
  return {
    ...(operation !== undefined && { operation }),
    ...(status !== undefined && { status: Number(status) }),
    ...(rule !== undefined && { rule }),
    ...(gap !== undefined && { gap }),
    ...(caller !== undefined && { caller }),
    ...(fault !== undefined && { fault: fault === 'true' }),
    ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
    ...(since !== undefined && { since: Number(since) }),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}

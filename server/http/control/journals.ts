// The journal of a sandbox: read it, filtered, and clear it.
import type { JournalFilter } from '../../engine/journal.js';
import { operations, rules } from '../../operations/catalog.js';
import { gapIds } from '../../operations/gaps.js';
import type { ControlEndpoint } from './endpoint.js';
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
      since: { type: 'integer', description: 'Only entries with a higher id.' },
    },
    replies: {
      200: { description: 'The entries, and how many were let go to keep within the bounds.', schema: journalSchema() },
    },
    handle: async (call, { session }) => {
      const sandbox = sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { journal } = sandbox;
      return { status: 200, body: { entries: journal.entries(filterFrom(call.query)), evicted: journal.evicted } };
    },
  },
  {
    id: 'clear-journal',
    method: 'DELETE',
    path: '/sandboxes/{s}/journal',
    summary: 'Forget the entries; ids go on',
    replies: { 204: { description: 'It is empty.' } },
    handle: async (call, { session }) => {
      const sandbox = sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      sandbox.journal.clear();
      return { status: 204 };
    },
  },
];

function filterFrom({ operation, status, rule, gap, since }: Readonly<Record<string, string>>): JournalFilter {
  return {
    ...(operation !== undefined && { operation }),
    ...(status !== undefined && { status: Number(status) }),
    ...(rule !== undefined && { rule }),
    ...(gap !== undefined && { gap }),
    ...(since !== undefined && { since: Number(since) }),
  };
}

function journalSchema() {
  const text = { type: 'string' };
  const texts = { type: 'array', items: text };
  const entry = {
    type: 'object',
    required: ['id', 'at', 'method', 'url', 'request', 'answer', 'rules', 'gaps', 'facts', 'version'],
    properties: {
      id: { type: 'integer' },
      at: text,
      method: text,
      url: text,
      operation: text,
      caller: text,
      unknownQuery: texts,
      repeatedQuery: texts,
      expand: texts,
      request: { type: 'object', properties: { contentType: text, body: text } },
      answer: { type: 'object', properties: { status: { type: 'integer' }, body: text } },
      refused: text,
      rules: texts,
      gaps: { type: 'object', additionalProperties: text },
      facts: { type: 'array', items: { type: 'object' } },
      fault: text,
      version: { type: 'integer' },
    },
  };
  return {
    type: 'object',
    required: ['entries', 'evicted'],
    properties: { entries: { type: 'array', items: entry }, evicted: { type: 'integer' } },
  };
}

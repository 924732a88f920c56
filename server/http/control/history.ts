// The history of a sandbox: back to one of its versions, and what differs between two.
import { isHindrance } from '../../engine/sandbox/history-error.js';
import { differenceIn, rewinding } from '../../engine/sandbox/travel.js';
import type { JsonSchema } from '../../operations/schema.js';
import type { ControlEndpoint } from './endpoint.js';
import { hinderedBy } from './hindered.js';
import { noSandbox, sandboxOf } from './named.js';
import { versionSchema } from './snapshots.js';

const version = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const notKept = {
  404: { description: 'There has been no such version.' },
  410: { description: 'The version is kept no longer.' },
};
const differenceSchema: JsonSchema = {
  type: 'object',
  required: ['from', 'to', 'patch', 'changes'],
  properties: {
    from: { type: 'integer' },
    to: { type: 'integer' },
    patch: { type: 'object', description: 'The merge-patch that makes the world of `to` out of that of `from`.' },
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['version', 'type'],
        properties: {
          version: { type: 'integer', description: 'The version that it led to, with others of the same request.' },
          type: { type: 'string' },
        },
      },
      description: 'What happened between the two, in its order, whichever of them is the later one.',
    },
  },
};

export const historyEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'rewind-sandbox',
    method: 'POST',
    path: '/sandboxes/{s}/rewind',
    summary:
      'Back to the state of a version, as a new version: world, ids, readings, clock and faults. Snapshots stay, and the journal goes on',
    body: {
      type: 'object',
      properties: { to: version('The version. The sandbox tells the oldest that is kept.') },
      required: ['to'],
      additionalProperties: false,
    },
    replies: { 200: { description: 'The sandbox is as it was then.', schema: versionSchema }, ...notKept },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { to } = call.body as { to: number }; // as its schema says
      const changed = await session.change(sandbox, rewinding(to));
      if (changed === 'gone') return noSandbox(call, session);
      return changed.result === undefined
        ? { status: 200, body: { version: changed.version } }
        : hinderedBy(changed.result);
    },
  },
  {
    id: 'diff-sandbox',
    method: 'GET',
    path: '/sandboxes/{s}/diff',
    summary: 'What differs between the worlds of two versions, and what happened in between',
    query: {
      from: version('The version that it begins with; left out, the oldest that is kept.'),
      to: version('The version that it ends with, which may be the earlier one; left out, the present.'),
    },
    replies: { 200: { description: 'The difference.', schema: differenceSchema }, ...notKept },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { from, to } = call.query;
      const difference = differenceIn(sandbox, versionIn(from), versionIn(to));
      return isHindrance(difference) ? hinderedBy(difference) : { status: 200, body: difference };
    },
  },
];

function versionIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

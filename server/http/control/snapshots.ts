// The snapshots of a sandbox: keep one, list them, restore one, drop one.
import { isHindrance } from '../../engine/sandbox/history-error.js';
import { dropping, keeping, keptIn, MOST_SNAPSHOTS, restoring, SNAPSHOT_NAME } from '../../engine/sandbox/snapshots.js';
import type { JsonSchema } from '../../operations/schema.js';
import type { Call, ControlAnswer, ControlEndpoint, Controlled } from './endpoint.js';
import { hinderedBy } from './hindered.js';
import { noSandbox, sandboxOf } from './named.js';

const name: JsonSchema = {
  type: 'string',
  pattern: SNAPSHOT_NAME,
  description: 'a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, and neither . nor ..',
};
const snapshotSchema: JsonSchema = {
  type: 'object',
  required: ['name', 'version', 'at'],
  properties: {
    name,
    version: { type: 'integer', description: 'The version of the sandbox whose state it is.' },
    at: { type: 'string', description: "The sandbox's time then." },
  },
};
export const versionSchema: JsonSchema = {
  type: 'object',
  required: ['version'],
  properties: { version: { type: 'integer', description: 'The version of the sandbox afterwards.' } },
};

export const snapshotEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'list-snapshots',
    method: 'GET',
    path: '/sandboxes/{s}/snapshots',
    summary: 'The snapshots of a sandbox, the one kept longest ago first',
    replies: {
      200: {
        description: 'The snapshots.',
        schema: { type: 'object', properties: { snapshots: { type: 'array', items: snapshotSchema } } },
      },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      return sandbox === undefined
        ? noSandbox(call, session)
        : { status: 200, body: { snapshots: keptIn(sandbox.state) } };
    },
  },
  {
    id: 'keep-snapshot',
    method: 'POST',
    path: '/sandboxes/{s}/snapshots',
    summary: 'Keep this moment of a sandbox: world, ids, readings, clock and faults. A reset leaves it',
    body: {
      type: 'object',
      properties: {
        name: { ...name, description: `${name.description}; left out, it gets one` },
        replace: { type: 'boolean', description: 'Whether it takes the place of one of that name.' },
      },
      additionalProperties: false,
    },
    bodyOptional: true,
    replies: {
      201: { description: 'It is kept.', schema: snapshotSchema },
      409: { description: `There is one of that name, or there are ${MOST_SNAPSHOTS}.` },
    },
    handle: keep,
  },
  {
    id: 'restore-snapshot',
    method: 'POST',
    path: '/sandboxes/{s}/snapshots/{name}/restore',
    summary: 'Back to a snapshot, as a new version: world, ids, readings, clock and faults. The journal goes on',
    body: { type: 'object', additionalProperties: false },
    bodyOptional: true,
    replies: { 200: { description: 'The sandbox is as it was then.', schema: versionSchema } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const changed = await session.change(sandbox, restoring(call.params.name ?? ''));
      if (changed === 'gone') return noSandbox(call, session);
      return isHindrance(changed.result)
        ? hinderedBy(changed.result)
        : { status: 200, body: { version: changed.version } };
    },
  },
  {
    id: 'drop-snapshot',
    method: 'DELETE',
    path: '/sandboxes/{s}/snapshots/{name}',
    summary: 'Drop a snapshot; the sandbox stays as it is',
    replies: { 204: { description: 'It is kept no longer.' } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const changed = await session.change(sandbox, dropping(call.params.name ?? ''));
      if (changed === 'gone') return noSandbox(call, session);
      return isHindrance(changed.result) ? hinderedBy(changed.result) : { status: 204 };
    },
  },
];

async function keep(call: Call, { session }: Controlled): Promise<ControlAnswer> {
  const sandbox = await sandboxOf(call, session);
  if (sandbox === undefined) return noSandbox(call, session);
  const { name: wanted, replace = false } = call.body as { name?: string; replace?: boolean }; // as its schema says
  const changed = await session.change(sandbox, keeping(wanted, replace, session.settings.machineTime));
  if (changed === 'gone') return noSandbox(call, session);
  return isHindrance(changed.result) ? hinderedBy(changed.result) : { status: 201, body: changed.result };
}

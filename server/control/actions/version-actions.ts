// The actions on versions of a sandbox: snapshots, rewind, differences.
import * as Type from '@sinclair/typebox';
import { recordsIn } from '../../domain/world/world-size.js';
import { dropping, keeping, keptIn, MAX_SNAPSHOTS, restoring, snapshotSchema } from '../../engine/sandbox/snapshots.js';
import { differenceIn, differenceSchema, rewinding } from '../../engine/sandbox/versions.js';
import { MANY } from '../../operations/operation.js';
import { boolean, described, fields, integer } from '../../operations/schema.js';
import { change, onSandbox } from './action.js';

const versionSchema = Type.Object(
  { version: Type.Integer({ description: 'The current version.' }) },
  { title: 'Version' },
);
const version = (description: string) => described<number>({ ...integer(description), minimum: 0 });
const notKept = [
  { status: 404, when: 'There is no such version.' },
  { status: 410, when: 'The version has been discarded.' },
];

export const listingSnapshots = onSandbox({
  id: 'snapshots.list',
  method: 'GET',
  path: '/sandboxes/{s}/snapshots',
  summary: 'List the snapshots of a sandbox, oldest first',
  replies: [
    {
      status: 200,
      when: 'The snapshots.',
      body: Type.Object({ snapshots: Type.Array(snapshotSchema) }),
    },
  ],
  run: async sandbox => ({ snapshots: keptIn(sandbox.state) }),
});

export const keepingSnapshot = onSandbox({
  id: 'snapshots.keep',
  method: 'POST',
  path: '/sandboxes/{s}/snapshots',
  summary: 'Take a snapshot of a sandbox: world, ids, readings, clock, faults and stubs. A reset keeps it',
  body: {
    schema: fields(
      {},
      {
        name: described<string>({
          ...snapshotSchema.properties.name,
          title: 'Name of the snapshot. Default: a generated name',
        }),
        replace: boolean('Replace the snapshot of this name, if it exists. Default: false.'),
      },
    ),
    isOptional: true,
  },
  replies: [
    { status: 201, when: 'Taken.', body: snapshotSchema },
    { status: 409, when: `The name is in use, or there are ${MAX_SNAPSHOTS} snapshots.` },
  ],
  run: async (sandbox, { body: { name: wanted, replace = false } }, context) => {
    const { machineTime } = context.session.settings;
    return (await change(sandbox, context, keeping(wanted, replace, machineTime))).result;
  },
});

export const restoringSnapshot = onSandbox({
  id: 'snapshots.restore',
  method: 'POST',
  path: '/sandboxes/{s}/snapshots/{name}/restore',
  summary: 'Restore a snapshot as a new version: world, ids, readings, clock, faults and stubs. The journal continues',
  body: { schema: fields({}, {}), isOptional: true },
  replies: [{ status: 200, when: 'Restored.', body: versionSchema }],
  run: async (sandbox, { params }, context) => {
    const { version: reached } = await change(sandbox, context, restoring(params.name ?? ''));
    return { version: reached };
  },
});

export const droppingSnapshot = onSandbox({
  id: 'snapshots.drop',
  method: 'DELETE',
  path: '/sandboxes/{s}/snapshots/{name}',
  summary: 'Drop a snapshot, without changing the sandbox',
  replies: [{ status: 204, when: 'Dropped.' }],
  run: async (sandbox, { params }, context) => {
    await change(sandbox, context, dropping(params.name ?? ''));
    return undefined;
  },
});

export const rewindingSandbox = onSandbox({
  id: 'sandboxes.rewind',
  method: 'POST',
  path: '/sandboxes/{s}/rewind',
  summary:
    'Restore the world, ids, readings, clock, faults and stubs of an earlier version, as a new version. Snapshots are kept, and the journal continues',
  body: {
    schema: fields({ to: version('The version to restore. `describe` shows the oldest.') }, {}),
  },
  replies: [{ status: 200, when: 'Rewound.', body: versionSchema }, ...notKept],
  run: async (sandbox, { body }, context) => {
    const { version: reached } = await change(sandbox, context, rewinding(body.to));
    return { version: reached };
  },
});

export const comparingVersions = onSandbox({
  id: 'sandboxes.diff',
  method: 'GET',
  path: '/sandboxes/{s}/diff',
  summary: 'Compare the worlds of two versions, and list the changes in between',
  query: {
    from: version('The first version. Default: the oldest.'),
    to: version('The second version, which can be the older one. Default: the current one.'),
    limit: {
      type: 'integer',
      minimum: 0,
      description: 'Return at most this many changed records of each collection. Default: all.',
    },
  },
  replies: [{ status: 200, when: 'The difference.', body: differenceSchema }, ...notKept],
  isHeavy: ({ sandbox }) => sandbox !== undefined && recordsIn(sandbox.state.world) > 10 * MANY, // shared parts are skipped
  run: async (sandbox, { query: { from, to, limit } }) =>
    differenceIn(sandbox, numberIn(from), numberIn(to), numberIn(limit)),
});

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

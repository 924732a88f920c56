// The actions through the time of a sandbox: snapshots, rewind, and what differs between two versions.
import { isHistoryError } from '../../engine/sandbox/history.js';
import { dropping, keeping, keptIn, MOST_SNAPSHOTS, restoring, SNAPSHOT_NAME } from '../../engine/sandbox/snapshots.js';
import { differenceIn, rewinding } from '../../engine/sandbox/travel.js';
import { boolean, described, fields, type JsonSchema, type Schema } from '../../operations/schema.js';
import { onSandbox, orHistoryProblem } from '../action.js';

const name: Schema<string> = described({
  type: 'string',
  pattern: SNAPSHOT_NAME,
  description: 'a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, other than "." and ".."',
});
const snapshotSchema: JsonSchema = {
  title: 'Snapshot',
  type: 'object',
  required: ['name', 'version', 'at'],
  properties: {
    name: name.json,
    version: { type: 'integer', description: 'The version of the sandbox whose state it is.' },
    at: { type: 'string', description: "The sandbox's time then." },
  },
};
const versionSchema: JsonSchema = {
  title: 'Version',
  type: 'object',
  required: ['version'],
  properties: { version: { type: 'integer', description: 'The version of the sandbox afterwards.' } },
};
const version = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const notKept = {
  404: { description: 'There has been no such version.' },
  410: { description: 'The version is kept no longer.' },
};
const differenceSchema: JsonSchema = {
  title: 'Difference',
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

export const listingSnapshots = onSandbox({
  id: 'snapshots.list',
  method: 'GET',
  path: '/sandboxes/{s}/snapshots',
  summary: 'The snapshots of a sandbox, the one kept longest ago first',
  replies: {
    200: {
      description: 'The snapshots.',
      schema: { type: 'object', properties: { snapshots: { type: 'array', items: snapshotSchema } } },
    },
  },
  run: async sandbox => ({ snapshots: keptIn(sandbox.state) }),
});

export const keepingSnapshot = onSandbox({
  id: 'snapshots.keep',
  method: 'POST',
  path: '/sandboxes/{s}/snapshots',
  summary: 'Keep this moment of a sandbox: world, ids, readings, clock and faults. A reset leaves it',
  body: fields(
    {},
    {
      name: described<string>({ ...name.json, description: `${name.json.description}; left out, it gets one` }),
      replace: boolean('Whether it takes the place of one of that name.'),
    },
  ),
  bodyOptional: true,
  replies: {
    201: { description: 'It is kept.', schema: snapshotSchema },
    409: { description: `There is one of that name, or there are ${MOST_SNAPSHOTS}.` },
  },
  run: async (sandbox, { body: { name: wanted, replace = false } }, context) => {
    const outcome = await context.session.change(
      sandbox,
      keeping(wanted, replace, context.session.settings.machineTime),
    );
    return outcome === 'gone' ? 'gone' : orHistoryProblem(outcome.result);
  },
});

export const restoringSnapshot = onSandbox({
  id: 'snapshots.restore',
  method: 'POST',
  path: '/sandboxes/{s}/snapshots/{name}/restore',
  summary: 'Back to a snapshot, as a new version: world, ids, readings, clock and faults. The journal goes on',
  body: fields({}, {}),
  bodyOptional: true,
  replies: { 200: { description: 'The sandbox is as it was then.', schema: versionSchema } },
  run: async (sandbox, { params }, context) => {
    const outcome = await context.session.change(sandbox, restoring(params.name ?? ''));
    if (outcome === 'gone') return 'gone';
    const { result } = outcome;
    return isHistoryError(result) ? orHistoryProblem<never>(result) : { version: outcome.version };
  },
});

export const droppingSnapshot = onSandbox({
  id: 'snapshots.drop',
  method: 'DELETE',
  path: '/sandboxes/{s}/snapshots/{name}',
  summary: 'Drop a snapshot; the sandbox stays as it is',
  replies: { 204: { description: 'It is kept no longer.' } },
  run: async (sandbox, { params }, context) => {
    const outcome = await context.session.change(sandbox, dropping(params.name ?? ''));
    if (outcome === 'gone') return 'gone';
    return isHistoryError(outcome.result) ? orHistoryProblem<never>(outcome.result) : undefined;
  },
});

export const rewindingSandbox = onSandbox({
  id: 'sandboxes.rewind',
  method: 'POST',
  path: '/sandboxes/{s}/rewind',
  summary:
    'Back to the state of a version, as a new version: world, ids, readings, clock and faults. Snapshots stay, and the journal goes on',
  body: fields({ to: described<number>(version('The version. The sandbox tells the oldest that is kept.')) }, {}),
  replies: { 200: { description: 'The sandbox is as it was then.', schema: versionSchema }, ...notKept },
  run: async (sandbox, { body }, context) => {
    const outcome = await context.session.change(sandbox, rewinding(body.to));
    if (outcome === 'gone') return 'gone';
    const { result } = outcome;
    return result === undefined ? { version: outcome.version } : orHistoryProblem<never>(result);
  },
});

export const comparingVersions = onSandbox({
  id: 'sandboxes.diff',
  method: 'GET',
  path: '/sandboxes/{s}/diff',
  summary: 'What differs between the worlds of two versions, and what happened in between',
  query: {
    from: version('The version that it begins with; left out, the oldest that is kept.'),
    to: version('The version that it ends with, which may be the earlier one; left out, the present.'),
  },
  replies: { 200: { description: 'The difference.', schema: differenceSchema }, ...notKept },
  run: async (sandbox, { query: { from, to } }) =>
    orHistoryProblem(differenceIn(sandbox, versionIn(from), versionIn(to))),
});

function versionIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

// The capsule of a sandbox, over HTTP.
import { inPieces } from '../../engine/pieces.js';
import type { JsonSchema } from '../../operations/schema.js';
import { type Capsule, capsuleSchema } from '../../scenario/capsule/capsule-format.js';
import { worldOf } from '../../scenario/capsule/replay.js';
import { seal } from '../../scenario/capsule/seal.js';
import type { Range } from '../../scenario/record/recorded.js';
import { type ControlAnswer, type ControlEndpoint, problem } from './endpoint.js';
import { noSandbox, sandboxOf } from './named.js';

const scenarioTextSchema: JsonSchema = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', description: 'YAML.' } },
};

export const capsuleEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-capsule',
    method: 'GET',
    path: '/sandboxes/{s}/capsule',
    summary: 'What the sandbox was, was asked and answered, without secrets: `cwx-fake play` performs it again',
    query: {
      as: {
        enum: ['capsule', 'scenario'],
        description:
          'As which file it is given: as it is, or as the YAML of a scenario that asks the same. Default: capsule.',
      },
      from: { type: 'integer', minimum: 1, description: 'Of a scenario: the first entry that becomes a step.' },
      to: { type: 'integer', minimum: 1, description: 'Of a scenario: the last entry that becomes a step.' },
    },
    replies: {
      200: {
        description: 'The capsule; as a scenario, the text of its file.',
        schema: { anyOf: [capsuleSchema, scenarioTextSchema] },
      },
      404: { description: 'There is no such sandbox, or, of a scenario, its journal has no such entries.' },
    },
    handle: async (call, { session, version }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const capsule = await seal(sandbox, version, session.settings.machineTime());
      const { as, from = 1, to = Number.MAX_SAFE_INTEGER } = call.query;
      if (as !== 'scenario') return { status: 200, body: capsule };
      return asScenario(capsule, { from: Number(from), to: Number(to) });
    },
  },
];

/** What records is loaded when it is asked for. */
async function asScenario(capsule: Capsule, range: Range): Promise<ControlAnswer> {
  const [{ recording }, { scenarioText }] = await Promise.all([
    import('../../scenario/record/recorded.js'),
    import('../../scenario/record/scenario-text.js'),
  ]);
  const world = worldOf(capsule);
  const recorded = world && (await inPieces(recording(capsule, world, range)));
  if (recorded === undefined)
    return problem(404, 'There is nothing to record', `The journal of ${capsule.sandbox} has no such entries.`);
  return { status: 200, body: { text: scenarioText(recorded) } };
}

// The capsule of a sandbox, over HTTP.
import { capsuleSchema } from '../../scenario/recording/capsule-format.js';
import { seal } from '../../scenario/recording/seal.js';
import type { ControlEndpoint } from './endpoint.js';
import { noSandbox, sandboxOf } from './named.js';

export const capsuleEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-capsule',
    method: 'GET',
    path: '/sandboxes/{s}/capsule',
    summary: 'What the sandbox was, was asked and answered, without secrets: `cwx-fake play` performs it again',
    replies: { 200: { description: 'The capsule.', schema: capsuleSchema } },
    handle: async (call, { session, version }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      return { status: 200, body: await seal(sandbox, version, session.settings.machineTime()) };
    },
  },
];

// The actions that ask the fake about itself: health, scenarios, metrics, the documents of both APIs, the ledger and the guide.
// What makes the documents is loaded when it is asked for: most servers end without ever having been asked.
import type { ServedAt } from '../../derive/served-at.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/session.js';
import { listScenarios } from '../../scenario/load/load.js';
import type { Action, Call } from '../action.js';

const document = { 200: { description: 'The document.', schema: { type: 'object' } } };
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
const guideType = 'text/markdown; charset=utf-8';

export const listingScenarios = {
  id: 'scenarios.list',
  method: 'GET',
  path: '/scenarios',
  summary: 'The scenarios that a sandbox can be made from',
  replies: {
    200: {
      description: 'Names, titles, and what they are about.',
      schema: {
        type: 'object',
        properties: {
          scenarios: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, title: { type: 'string' }, about: { type: 'string' } },
            },
          },
        },
      },
    },
  },
  run: async (_, { folders }) => ({ scenarios: listScenarios(folders) }),
} satisfies Action;

export const readingOpenapi = {
  id: 'openapi.read',
  method: 'GET',
  path: '/openapi.json',
  summary: 'The OpenAPI document of the operations, under the readings of this server, or of the sandbox that is named',
  inSandbox: true,
  replies: document,
  run: async (call, { session, version }) => {
    const { openapiOf } = await import('../../derive/openapi/openapi.js');
    const at = servedAt(call);
    const named = at.sandbox === undefined ? undefined : await session.latest(at.sandbox);
    return openapiOf(named?.readings ?? session.serverReadings, version, at);
  },
} satisfies Action;

export const readingControlOpenapi = {
  id: 'control-openapi.read',
  method: 'GET',
  path: '/control-openapi.json',
  summary: 'The OpenAPI document of this control API',
  replies: document,
  run: async ({ root }, { controlOpenapi }) => controlOpenapi(root),
} satisfies Action;

export const readingLedger = {
  id: 'ledger.read',
  method: 'GET',
  path: '/ledger',
  summary: 'Every rule, gap, reading and refusal, with the shipped scenarios that are its evidence',
  replies: document,
  run: async () => {
    const { shippedLedger } = await import('../../scenario/load/shipped-ledger.js');
    return shippedLedger();
  },
} satisfies Action;

export const readingGuide = {
  id: 'guide.read',
  method: 'GET',
  path: '/guide',
  summary: 'The guide, as Markdown',
  inSandbox: true,
  replies: { 200: { description: 'The guide.', contentType: guideType, schema: { type: 'string' } } },
  run: async call => {
    const { guide } = await import('../../derive/guide/guide.js');
    return guide(servedAt(call));
  },
} satisfies Action;

export const readingMetrics = {
  id: 'metrics.read',
  method: 'GET',
  path: '/metrics',
  summary: 'What has been counted since the server started, in the text format of Prometheus',
  replies: { 200: { description: 'The metrics.', contentType: metricsType, schema: { type: 'string' } } },
  run: (_, { metrics }) => metrics(),
} satisfies Action;

/** A document for the default sandbox names none. */
function servedAt({ root, sandbox }: Call): ServedAt {
  return sandbox === DEFAULT_SANDBOX ? { root } : { root, sandbox };
}

// The actions about the fake itself: health, scenarios, metrics, the OpenAPI documents, the ledger and the guide. Their generators are loaded on
// demand, because most servers never need them.

import * as Type from '@sinclair/typebox';
import type { ServedAt } from '../../derive/served-at.js';
import { oneOf } from '../../domain/json/shape.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/state.js';
import { listScenarios } from '../../scenario/load/load.js';
import type { Action, ActionCall } from './action.js';

const text = Type.String();
const document = [{ status: 200, when: 'The document.', body: { type: 'object' } }];
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
const guideType = 'text/markdown; charset=utf-8';

export const listingScenarios = {
  id: 'scenarios.list',
  method: 'GET',
  path: '/scenarios',
  summary: 'List the scenarios from which a sandbox can be created',
  replies: [
    {
      status: 200,
      when: 'Names, titles and descriptions.',
      body: Type.Object({
        scenarios: Type.Array(Type.Object({ name: text, title: text, about: text, kind: oneOf(['demo', 'case']) })),
      }),
    },
  ],
  run: async (_, { folders }) => ({ scenarios: listScenarios(folders) }),
} satisfies Action;

export const readingOpenapi = {
  id: 'openapi.read',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get the OpenAPI document of the operations, under the readings of this server or of the named sandbox',
  inSandbox: true,
  replies: document,
  run: async (call, { session, version }) => {
    const { openapiOf } = await import('../../derive/openapi/openapi.js');
    const at = servedAt(call);
    const named = at.sandbox === undefined ? undefined : await session.sandboxes.latest(at.sandbox);
    return openapiOf(named?.readings ?? session.serverReadings, version, at);
  },
} satisfies Action;

export const readingControlOpenapi = {
  id: 'control-openapi.read',
  method: 'GET',
  path: '/control-openapi.json',
  summary: 'Get the OpenAPI document of this control API',
  replies: document,
  run: async ({ root }, { controlOpenapi }) => controlOpenapi(root),
} satisfies Action;

export const readingLedger = {
  id: 'ledger.read',
  method: 'GET',
  path: '/ledger',
  summary: 'List every rule, gap, reading and refusal, each with the shipped scenarios that are its evidence',
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
  summary: 'Get the guide as Markdown',
  inSandbox: true,
  replies: [{ status: 200, when: 'The guide.', body: { type: 'string' }, contentType: guideType }],
  run: async call => {
    const { guide } = await import('../../derive/guide/guide.js');
    return guide(servedAt(call));
  },
} satisfies Action;

export const readingMetrics = {
  id: 'metrics.read',
  method: 'GET',
  path: '/metrics',
  summary: 'Get the metrics since the start of the server, in the text format of Prometheus',
  replies: [{ status: 200, when: 'The metrics.', body: { type: 'string' }, contentType: metricsType }],
  run: (_, { metrics }) => metrics(),
} satisfies Action;

/** The document for the default sandbox does not name it. */
function servedAt({ root, sandbox }: ActionCall): ServedAt {
  return sandbox === DEFAULT_SANDBOX ? { root } : { root, sandbox };
}

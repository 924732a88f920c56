// What the server says of itself: scenarios, the documents of both APIs, the ledger and the guide.
// What makes the documents is loaded when it is asked for: most servers end without ever having been asked.
import type { ServedAt } from '../../derive/served-at.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/session.js';
import { listScenarios } from '../../scenario/load/load.js';
import { controlOpenapi } from './document.js';
import type { Call, ControlEndpoint } from './endpoint.js';

const document = { 200: { description: 'The document.', schema: { type: 'object' } } };

export const aboutEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'list-scenarios',
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
    handle: async (_, { folders }) => ({ status: 200, body: { scenarios: listScenarios(folders) } }),
  },
  {
    id: 'read-openapi',
    method: 'GET',
    path: '/openapi.json',
    summary:
      'The OpenAPI document of the operations, under the readings of this server, or of the sandbox that is named',
    inSandbox: true,
    replies: document,
    handle: async (call, { session, version }) => {
      const { openapiOf } = await import('../../derive/openapi/openapi.js');
      const at = servedAt(call);
      const named = at.sandbox === undefined ? undefined : await session.latest(at.sandbox);
      return { status: 200, body: openapiOf(named?.readings ?? session.serverReadings, version, at) };
    },
  },
  {
    id: 'read-control-openapi',
    method: 'GET',
    path: '/control-openapi.json',
    summary: 'The OpenAPI document of this control API',
    replies: document,
    handle: async ({ root }, { endpoints, version }) => ({
      status: 200,
      body: controlOpenapi(endpoints, version, root),
    }),
  },
  {
    id: 'read-ledger',
    method: 'GET',
    path: '/ledger',
    summary: 'Every rule, gap, reading and refusal, with the shipped scenarios that are its evidence',
    replies: document,
    handle: async () => {
      const { shippedLedger } = await import('../../scenario/load/shipped-ledger.js');
      return { status: 200, body: shippedLedger() };
    },
  },
  {
    id: 'read-guide',
    method: 'GET',
    path: '/guide',
    summary: 'The guide, as Markdown',
    inSandbox: true,
    replies: {
      200: { description: 'The guide.', contentType: 'text/markdown; charset=utf-8', schema: { type: 'string' } },
    },
    handle: async call => {
      const { guide } = await import('../../derive/guide/guide.js');
      return { status: 200, contentType: 'text/markdown; charset=utf-8', body: guide(servedAt(call)) };
    },
  },
];

/** A document for the default sandbox names none. */
function servedAt({ root, sandbox }: Call): ServedAt {
  return sandbox === DEFAULT_SANDBOX ? { root } : { root, sandbox };
}

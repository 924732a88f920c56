// What has been counted, for Prometheus.
import type { ControlEndpoint } from './endpoint.js';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export const metricsEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'What has been counted since the server started, in the text format of Prometheus',
    replies: { 200: { description: 'The metrics.', contentType, schema: { type: 'string' } } },
    handle: async (_, { metrics }) => ({ status: 200, contentType, body: await metrics() }),
  },
];

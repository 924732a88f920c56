// The stage `browser-post`: whether a POST passes the XSRF check (gap browser-post). A POST of another client always does.

import type { Operation } from '../../../operations/operation.js';
import { isResource } from '../../../operations/rest-api/resource.js';
import { type OperationProgress, stage } from '../stage.js';

const takesPost = ({ method, heading }: Operation) => method === 'POST' || heading?.method === 'POST';

export const browserPost = stage({
  name: 'browser-post',
  steps: [{ name: 'browser-post', concerns: takesPost, refusals: ['xsrf-check'], gaps: ['browser-post'] }],
  run({ request, operation }: OperationProgress, given) {
    if (request.isSuspect !== true || request.method !== 'POST' || isResource(operation)) return undefined;
    if (given.reading('browser-post') === 'accept') return undefined;
    return given.refuse(
      'xsrf-check',
      'XSRF check failed: the request seems to come from a browser or another origin. Send the header X-Atlassian-Token: no-check.',
    );
  },
});

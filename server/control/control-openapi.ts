// The OpenAPI document of the control API, derived from its actions.
import * as Type from '@sinclair/typebox';
import { type DocumentPart, withName } from '../derive/openapi/named-schemas.js';
import {
  type About,
  content,
  openapiDocument,
  parameter,
  type ServedEndpoint,
} from '../derive/openapi/openapi-document.js';
import { DEFAULT_URL } from '../derive/served-at.js';
import { SNAPSHOT_NAME } from '../engine/sandbox/snapshots.js';
import { SANDBOX_NAME } from '../operations/address.js';
import { paramNames } from '../operations/endpoint.js';
import type { Action } from './actions/action.js';

const problemSchema = Type.Object({
  status: Type.Integer(),
  title: Type.String(),
  detail: Type.String(),
  problems: Type.Optional(Type.Array(Type.Object({}))),
});

const components = {
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      description:
        'Required if the server listens on an address other than loopback, or was started with --control-token.',
    },
    ownHeader: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Fake-Token',
      description: 'The same token, for clients that use Authorization for something else.',
    },
  },
  schemas: { Problem: problemSchema },
  parameters: {
    s: {
      name: 's',
      in: 'path',
      required: true,
      description: 'The name of the sandbox.',
      schema: { type: 'string', pattern: SANDBOX_NAME.source },
    },
    name: {
      name: 'name',
      in: 'path',
      required: true,
      description: 'The name of the snapshot.',
      schema: { type: 'string', pattern: SNAPSHOT_NAME },
    },
    sandbox: {
      name: 'X-Fake-Sandbox',
      in: 'header',
      description: 'The name of the sandbox. The path /~name takes precedence. Default: default.',
      schema: { type: 'string', pattern: SANDBOX_NAME.source },
    },
    further: {
      name: 'further',
      in: 'query',
      style: 'form',
      explode: true,
      description: 'Any parameters.',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
};

/** OpenAPI 3.1 of the actions, below `/_fake/v1` of a server at `root`. */
export function controlOpenapi(actions: readonly Action[], version: string, root: string = DEFAULT_URL): DocumentPart {
  const about: About = {
    title: 'cwx-fake control API',
    version,
    description: 'Controls a running cwx-fake: sandboxes, worlds, readings, journals.',
    servers: [{ url: `${root}/_fake/v1` }],
    security: [{}, { token: [] }, { ownHeader: [] }],
    tags: [{ name: 'control', description: 'Control of the fake.' }],
    components,
  };
  return openapiDocument(about, actions.map(servedAction));
}

function servedAction(action: Action): ServedEndpoint {
  const { id, path, query = {}, anyQuery, inSandbox, body } = action;
  const shared = [...(inSandbox ? ['sandbox'] : []), ...paramNames(action)];
  return {
    endpoint: action,
    address: path,
    description: description(action),
    tag: 'control',
    parameters: [
      ...shared.map(reference),
      ...Object.entries(query).map(([name, schema]) => parameter(name, 'query', false, schema)),
      ...(anyQuery ? [reference('further')] : []),
    ],
    ...(body !== undefined && {
      body: { schema: withName(body.schema, id, 'Body'), isRequired: body.isOptional !== true },
    }),
    responses: responses(action),
  };
}

function reference(name: string): DocumentPart {
  return { $ref: `#/components/parameters/${name}` };
}

function responses(action: Action): ServedEndpoint['responses'] {
  const { id, replies } = action;
  return [
    ...(isAboutSandboxes(action) ? ([[503, refused(NO_STORE)]] as const) : []),
    ...replies.map(({ status, when, body, contentType }) => {
      if (status >= 400) return [status, refused(when)] as const;
      const schema = body && contentType === undefined ? withName(body, id, 'Reply') : body; // a text needs no name
      return [status, { description: when, ...(schema && content({ schema }, contentType)) }] as const;
    }),
    ['4XX', refused('The request is invalid. The problem says what is wrong, where, and what is allowed.')],
  ];
}

/** Details beyond the summary. */
function description({ summary, body, replies: [done] }: Action): string {
  return [
    `${summary}.`,
    ...(done === undefined ? [] : [`Response: ${done.when}`]),
    ...(body?.isOptional ? ['A request without a body is treated like one with `{}`.'] : []),
  ].join(' ');
}

const NO_STORE =
  'The store of sandboxes is unavailable. Retry-After says when to try again, if that can help. The action may have been performed.';

function isAboutSandboxes({ method, path, inSandbox }: Action): boolean {
  return path.startsWith('/sandboxes') || (inSandbox === true && method !== 'GET');
}

function refused(when: string): DocumentPart {
  return {
    description: when,
    ...content({ schema: { $ref: '#/components/schemas/Problem' } }, 'application/problem+json'),
  };
}

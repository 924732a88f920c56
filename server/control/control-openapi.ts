// The OpenAPI document of the control API, derived from its actions.
import { withName, withNamedSchemas } from '../derive/openapi/named-schemas.js';
import { contact } from '../derive/openapi/openapi-components.js';
import { DEFAULT_URL } from '../derive/served-at.js';
import { SNAPSHOT_NAME } from '../engine/sandbox/snapshots.js';
import { SANDBOX_NAME } from '../operations/address.js';
import type { JsonSchema } from '../operations/schema.js';
import type { Action } from './action.js';

const problemSchema: JsonSchema = {
  type: 'object',
  required: ['status', 'title', 'detail'],
  properties: {
    status: { type: 'integer' },
    title: { type: 'string' },
    detail: { type: 'string' },
    problems: { type: 'array', items: { type: 'object' } },
  },
};

const components = {
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'Required if the server listens beyond loopback, or was started with --control-token.',
    },
    ownHeader: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Fake-Token',
      description: 'The same token, for clients that use Authorization otherwise.',
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
      description: 'The name of the sandbox. A path below /~name wins. Default: default.',
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
export function controlOpenapi(actions: readonly Action[], version: string, root: string = DEFAULT_URL): object {
  const names = [...new Set(actions.map(({ path }) => path))];
  const paths = Object.fromEntries(
    names.map(name => {
      const sharing = actions.filter(({ path }) => path === name);
      return [name, Object.fromEntries(sharing.map(action => [action.method.toLowerCase(), operationObject(action)]))];
    }),
  );
  return withNamedSchemas({
    openapi: '3.1.0',
    info: {
      title: 'cwx-fake control API',
      version,
      description: 'Controls a running cwx-fake: sandboxes, worlds, readings, journals.',
      contact,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${root}/_fake/v1` }],
    security: [{}, { token: [] }, { ownHeader: [] }],
    tags: [{ name: 'control', description: 'Control of the fake.' }],
    paths,
    components,
  });
}

function operationObject(action: Action): object {
  const { id, path, summary, query, anyQuery, inSandbox, body, bodyOptional, replies } = action;
  const parameters = [
    ...(inSandbox ? [{ $ref: '#/components/parameters/sandbox' }] : []),
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(query ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      schema,
      description: schema.description,
    })),
    ...(anyQuery ? [{ $ref: '#/components/parameters/further' }] : []),
  ];
  const responses = Object.entries(replies).map(
    ([status, { description, schema, contentType = 'application/json' }]) => [
      status,
      Number(status) >= 400
        ? refused(description)
        : {
            description,
            ...(schema && { content: { [contentType]: { schema: replySchema(id, schema, contentType) } } }),
          },
    ],
  );
  return {
    operationId: id,
    tags: ['control'],
    summary,
    description: description(action),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: bodyOptional !== true,
        content: { 'application/json': { schema: withName(body.json, id, 'Body') } },
      },
    }),
    responses: {
      ...(isAboutSandboxes(action) && { 503: refused(NO_STORE) }),
      ...Object.fromEntries(responses),
      '4XX': refused('The request is invalid; the problem says what is wrong, where, and what is allowed.'),
    },
  };
}

/** What is no JSON is a text, and needs no name. */
function replySchema(id: string, schema: JsonSchema, contentType: string): JsonSchema {
  return contentType === 'application/json' ? withName(schema, id, 'Reply') : schema;
}

/** Details beyond the summary. */
function description({ summary, bodyOptional, replies }: Action): string {
  const [done] = Object.values(replies);
  return [
    `${summary}.`,
    ...(done === undefined ? [] : [`Answer: ${done.description}`]),
    ...(bodyOptional ? ['Without a body, the request counts as one with `{}`.'] : []),
  ].join(' ');
}

const NO_STORE =
  'The store of sandboxes is unavailable. Retry-After says when to try again, if that may help. The action may have been done.';

function isAboutSandboxes({ method, path, inSandbox }: Action): boolean {
  return path.startsWith('/sandboxes') || (inSandbox === true && method !== 'GET');
}

function refused(description: string): object {
  return { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
}

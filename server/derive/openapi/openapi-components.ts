// Shared components of the OpenAPI document: the fake's headers, `expand`, credentials and error bodies.
import { SANDBOX_NAME } from '../../operations/address.js';
import type { Readings } from '../../operations/gaps/gaps.js';
import type { Family } from '../../operations/operation.js';
import { errorSchema } from '../schemas/response-schema.js';
import type { DocumentPart } from './named-schemas.js';

const schemaNames: Readonly<Record<Family, string>> = { wiki: 'WikiRefusal', ppf: 'PushPullRefusal' };

/** The fake's headers in every response of an operation. */
const headers: Readonly<Record<string, DocumentPart>> = {
  'X-Fake-Sandbox': text('The sandbox of the request.', 'default'),
  'X-Fake-Operation': text('The operation of the request.', 'ppf.push'),
  'X-Fake-Rules': text('The rules that applied, separated by commas.', 'ppf.needs-recipient, ppf.invalid-is-400'),
  'X-Fake-Gaps': text('The readings that decided, separated by commas.', 'ppf-check-order=403-first'),
  'X-Fake-Fault': text('The fault that replaced the response; absent from other responses.', '1 status retryAfter'),
};

/** A reference to each of the headers. */
export const headerReferences: DocumentPart = Object.fromEntries(
  Object.keys(headers).map(name => [name, { $ref: `#/components/headers/${name}` }]),
);

/** Parameters that any request may carry. */
export const parameterReferences: readonly DocumentPart[] = ['expand', 'sandbox', 'reading'].map(name => ({
  $ref: `#/components/parameters/${name}`,
}));

/** The content of a family's refusals; `undefined` if they have no body. */
export function refusalContent(family: Family, readings: Readings): DocumentPart | undefined {
  const schema = errorSchema(family, readings);
  return schema && { schema: { title: schemaNames[family], ...schema } };
}

const parameters: DocumentPart = {
  expand: {
    name: 'expand',
    in: 'query',
    description: 'Names to expand in the response; a dot leads into another entity. No documented response has any.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
    example: ['space', 'body.view'],
  },
  sandbox: {
    name: 'X-Fake-Sandbox',
    in: 'header',
    description: 'The sandbox of the request. A sandbox in the path takes precedence. Default: `default`.',
    schema: { type: 'string', pattern: SANDBOX_NAME.source },
  },
  reading: {
    name: 'X-Fake-Reading',
    in: 'header',
    description: 'Readings for this request alone: `gap=reading, gap=reading`.',
    schema: { type: 'string' },
    example: 'unknown-user=400, view-post=add',
  },
};

const basic: DocumentPart = {
  type: 'http',
  scheme: 'basic',
  description: 'A user of the world. For a user without a password, any password is accepted.',
};

/** The kinds of credentials that the REST API takes, and that the operations take where all count. */
export const securitySchemes: DocumentPart = {
  basic,
  bearer: { type: 'http', scheme: 'bearer', description: 'The personal access token of a user of the world.' },
  session: { type: 'apiKey', in: 'cookie', name: 'JSESSIONID', description: 'The cookie of a session.' },
};

/** Those that the operations take under the readings. */
export function schemesUnder(readings: Readings): DocumentPart {
  return readings['auth-scheme'] === 'basic' ? { basic } : securitySchemes;
}

/** The components of the document of the operations. */
export function componentsUnder(readings: Readings): DocumentPart {
  return { parameters, headers, securitySchemes: schemesUnder(readings) };
}

function text(description: string, example: string): DocumentPart {
  return { description, schema: { type: 'string' }, example };
}

// Requests with one name wherever a name, a key or a text is possible, generated from the operations and the endpoints of the control API.

import type { Action } from '../../server/control/actions/action.js';
import type { HttpRequest } from '../../server/derive/sending/call.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { type OperationId, operationOf } from '../../server/operations/catalog/catalog.js';
import type { JsonSchema } from '../../server/operations/schema.js';
import { basic } from '../support/wire/server.js';
import { operationIds, validQuestions } from '../support/worlds/valid.js';

/** An object with one key, even if JavaScript gives that key a meaning. */
export function keyed(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries([[name, value]]);
}

/** The value with the name instead of each of its texts, one at a time, and as an additional key of each object. */
function varied(value: unknown, name: string): unknown[] {
  if (typeof value === 'string') return [name];
  if (Array.isArray(value))
    return value.flatMap((element, i) => varied(element, name).map(other => value.with(i, other)));
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const inner = entries.flatMap(([key, part]) =>
    varied(part, name).map(other => Object.fromEntries([...entries, [key, other]])),
  );
  return [...inner, Object.fromEntries([...entries, [name, { polluted: true }]])];
}

function request(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { method, path, headers: { ...type, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

/** To every operation, below the sandbox of that name. */
export function operationRequests(name: string): HttpRequest[] {
  const admin = { Authorization: basic('admin', 'admin') };
  return operationIds.flatMap((id: OperationId) => {
    const operation = operationOf(id);
    const { json, query = {}, params = {} } = validQuestions[id];
    const path = (values: unknown) =>
      `/~${name}${canonicalPrefix(operation?.family ?? 'wiki')}${(operation?.path ?? '').replace(/\{(\w+)\}/g, (_, key: string) => (values as Record<string, string>)[key] ?? '')}`;
    const search = (values: unknown) => `?${new URLSearchParams(Object.entries(values as Record<string, string>))}`;
    const method = operation?.method ?? '';
    const own = path(params) + search(query);
    return [
      ...varied(params, name).map(values => request(method, path(values) + search(query), json, admin)),
      ...varied(query, name).map(values => request(method, path(params) + search(values), json, admin)),
      ...varied(json, name).map(body => request(method, own, body, admin)),
      request(method, own, json, { Authorization: basic(name, name) }),
      request(method, own, json, { Authorization: `Bearer ${name}` }),
      request(method, own, json, { ...admin, [name]: name }),
      request(method, own, json, { ...admin, 'X-Fake-Reading': `${name}=${name}` }),
      request(method, own, json, { ...admin, 'X-Fake-Reading': `view-post=${name}` }),
      request(method, own, json, { ...admin, 'X-Request-Id': name }),
      request(method, `${path(params)}/${name}`, json, admin),
      request(method, `${own}&expand=${name},${name}.${name}`, json, admin),
    ];
  });
}

const DEEPEST = 4;
/** The life of a sandbox, in seconds: longer than a test. */
const HOUR = 3600;

/** Values that match a schema, with the name for every text. */
function fillings(schema: JsonSchema, name: string, depth = 0): unknown[] {
  const one = Array.isArray(schema.enum) ? schema.enum.slice(0, 1) : schema.const === undefined ? [] : [schema.const];
  if (one.length > 0) return [...one, name];
  const { type, properties, items, additionalProperties } = schema;
  if (depth > DEEPEST) return [name];
  if (type === 'integer' || type === 'number') return [1, name];
  if (type === 'boolean') return [true, name];
  if (type === 'array') return [[], name, ...fillings(Object(items), name, depth + 1).map(element => [element])];
  if (type !== 'object' && properties === undefined) return [name, keyed(name, name), [name]];
  const fields = Object.entries(Object(properties) as Record<string, JsonSchema>);
  const due = (schema.required ?? []) as readonly string[];
  const least = fields
    .filter(([key]) => due.includes(key))
    .map(([key, part]) => [key, fillings(part, name, depth + 1)[0]] as const);
  const each = fields.flatMap(([key, part]) =>
    fillings(part, name, depth + 1).map(value =>
      Object.fromEntries([...least, [key, key === 'ttl' && value === 1 ? HOUR : value]]),
    ),
  );
  const further =
    typeof additionalProperties === 'object' ? fillings(Object(additionalProperties), name, depth + 1) : [];
  return [
    Object.fromEntries(least),
    ...each,
    ...[name, 1, null, [], keyed(name, name), ...further].map(value => Object.fromEntries([...least, [name, value]])),
  ];
}

/** To an endpoint of the control API: in its path, its query, its headers and everywhere in its body. */
export function controlRequests({ method, path, query = {}, body, inSandbox }: Action, name: string): HttpRequest[] {
  const own = `/_fake/v1${path.replace(/\{\w+\}/g, name)}`;
  const filled = (value: unknown) => request(method, own, value);
  const first = body === undefined ? undefined : {};
  const pairs = [...Object.keys(query), name].flatMap(key => [
    `${key}=${name}`,
    `${key}=1`,
    `${name}=x&${key}=${name}`,
  ]);
  return [
    ...pairs.map(pair => request(method, `${own}?${pair}`, first)),
    ...(body === undefined
      ? [filled(undefined)]
      : [...fillings(body.schema, name), name, [name], keyed(name, keyed(name, true))].map(filled)),
    ...(inSandbox
      ? [request(method, `/~${name}${own}`, first), request(method, own, first, { 'X-Fake-Sandbox': name })]
      : []),
    request(method, `${own}/${name}`, first),
    request(method, `/_fake/v1/${name}`, first),
    request(method, own, first, { 'X-Fake-Sandbox': name, [name]: name, 'Last-Event-ID': name }),
  ];
}

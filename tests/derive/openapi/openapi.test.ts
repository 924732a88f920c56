// Reads the OpenAPI document as an outsider would, and compares it with the behaviour of the operations on the small team.
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import { controlOpenapi } from '../../../server/control/control-openapi.js';
import type { DocumentPart } from '../../../server/derive/openapi/named-schemas.js';
import { withNamedSchemas } from '../../../server/derive/openapi/named-schemas.js';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { restApiOpenapi } from '../../../server/derive/openapi/rest-api-openapi.js';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { type OperationId, operations } from '../../../server/operations/catalog/catalog.js';
import { defaultReadings, layReadings, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Example } from '../../../server/operations/operation.js';
import type { JsonSchema } from '../../../server/operations/schema.js';
import { documentedRows } from '../../model/operations/model-operations.js';
import { type Asked, ask } from '../../support/worlds/ask.js';
import { type DocumentedOperation, type Media, type Reader, readOpenapi } from './openapi-reader.js';

const WIKI = '/rest/cwxapiextension/latest';
const PPF = '/rest/cwx-ppf/latest';

describe('the OpenAPI document', () => {
  const document = read();

  it('has every operation at its canonical address, and the headings that are served', () => {
    const addresses = documentedRows.flatMap(([id, { method, path, heading }]) => {
      const address = `${id.startsWith('ppf.') ? PPF : WIKI}${path}`;
      return [method, heading].flatMap(one => (one === undefined ? [] : [`${one} ${address}`]));
    });
    expect(document.addresses).to.deep.equal(addresses);
    expect(document.servers).to.deep.equal([
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8080/{context}',
      'http://127.0.0.1:8080/~{sandbox}',
    ]);
  });

  it('starts its servers at the given address, and has the given version', () => {
    const document = openapiOf(defaultReadings, '1.2.3', { root: 'https://fake.test', sandbox: 'job-7' });
    expect(document.info).to.include({ version: '1.2.3' });
    expect(readOpenapi(document).servers).to.deep.equal([
      'https://fake.test/~job-7',
      'https://fake.test/~job-7/{context}',
      'https://fake.test/~{sandbox}',
    ]);
  });

  it('describes what happens in the examples', () => {
    for (const { id, examples } of operations)
      for (const example of examples) holdExample(document.operation(id), id, example);
  });
});

describe('the schemas of the OpenAPI document', () => {
  const ofAnswers = ['wiki-success', 'wiki-error-body', 'ppf-error-body', 'is-unique-answer', 'copy-success'] as const;
  const variants = ofAnswers.flatMap(gap => readingNames(gap).map(reading => ({ [gap]: reading }) as SomeReadings)); // each of its gap

  it('are components for all bodies and alternatives, in each document and under every reading about them', () => {
    const documents = [{}, ...variants].map(some => openapiOf(layReadings(defaultReadings, some)));
    for (const one of [...documents, restApiOpenapi(), controlOpenapi(actions, '0.0.0')]) {
      const { paths, components } = JSON.parse(JSON.stringify(one));
      const media = contents([paths, components.responses]);
      expect(media.length).to.be.above(10);
      for (const { schema } of media.filter(({ schema }) => schema !== undefined)) {
        expect(schema).to.have.all.keys('$ref');
        expect(components.schemas).to.have.property(String(schema.$ref).replace('#/components/schemas/', ''));
      }
    }
    for (const one of documents)
      for (const [name, { title, anyOf = [], allOf = [] }] of Object.entries<JsonSchema>(
        JSON.parse(JSON.stringify(one)).components.schemas,
      )) {
        expect(title, name).to.equal(undefined);
        for (const part of [anyOf, allOf].flat()) expect(part, name).to.have.all.keys('$ref');
      }
  });

  it('have the pattern of a new key only if the reading refuses others', () => {
    const pattern = (reading: 'alphanumeric' | 'any') => {
      const { parameters } = read({ 'space-key-format': reading }).operation('spaces.copy');
      return parameters.find(({ name }) => name === 'targetSpaceKey')?.schema.pattern;
    };
    expect(pattern('alphanumeric')).to.equal('^[A-Za-z0-9]{1,255}$');
    expect(pattern('any')).to.equal(undefined);
  });

  it('have distinct names', () => {
    const schema = (type: string) => ({ schema: { title: 'Twice', type } });
    expect(() => withNamedSchemas({ paths: { a: schema('string'), b: schema('integer') } })).to.throw('Twice');
    const once = withNamedSchemas({ paths: { a: schema('string'), b: schema('string') }, components: { headers: {} } });
    expect(once.components).to.deep.equal({ schemas: { Twice: { type: 'string' } }, headers: {} });
  });
});

/** The JSON of requests and responses in a part of a document. */
function contents(part: unknown): Media[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => (/^application\/.*json$/.test(key) ? value : contents(value)));
}

describe('an operation of the OpenAPI document', () => {
  const document = read();

  it('requires credentials for push and pull, and not for the wiki operations', () => {
    expect(document.operation('groups.add-users').security).to.deep.include({});
    expect(document.operation('ppf.push').security).to.deep.equal([{ basic: [] }, { bearer: [] }, { session: [] }]);
    const basic = { 'auth-scheme': 'basic' } as const;
    expect(read(basic).operation('ppf.push').security).to.deep.equal([{ basic: [] }]);
    const { components } = openapiOf(layReadings(defaultReadings, basic)) as { components: DocumentPart };
    expect(components.securitySchemes).to.have.keys('basic');
  });

  it('declares the headers that explain each response', () => {
    for (const { id } of operations)
      for (const { headers } of Object.values(document.operation(id).responses))
        expect(headers).to.include.keys('X-Fake-Sandbox', 'X-Fake-Operation', 'X-Fake-Rules', 'X-Fake-Gaps');
  });

  it('names the refusals behind each status', () => {
    const { responses } = document.operation('ppf.push');
    expect(responses['403']?.['x-refusals']).to.deep.equal(['ppf-anonymous', 'ppf-not-admin', 'ppf-not-licensed']);
    expect(responses['400']?.['x-refusals']).to.include.members(['ppf-no-recipient', 'ppf-no-item']);
    expect(responses['404']?.['x-refusals']).to.deep.equal(['sandbox-unknown']);
  });
});

describe('the OpenAPI document under other readings', () => {
  it('has the heading method of viewing with the operation chosen by the reading', () => {
    const adds = read({ 'view-post': 'add' });
    expect(adds.operation('permissions.view-add.post').tags).to.deep.equal(['permissions']);
    const removes = read({ 'view-post': 'remove', 'heading-methods': 'none' });
    expect(removes.addresses.filter(address => /^POST .*permissions/.test(address))).to.deep.equal([
      `POST ${WIKI}/permissions/view/{pageId}`,
    ]);
    expect(() => removes.operation('permissions.view-add.post')).to.throw('no operation');
  });

  it('has the prefix and the context path of the readings', () => {
    const bare = read({ 'wiki-prefix': 'bare', 'context-path': '/wiki' });
    expect(bare.addresses).to.include('POST /cwxapiextension/latest/groups/add-users');
    expect(bare.addresses).to.include('POST /rest/cwx-ppf/latest/push');
    expect(bare.servers).to.deep.equal(['http://127.0.0.1:8080/wiki', 'http://127.0.0.1:8080/~{sandbox}/wiki']);
    expect(read({ 'wiki-prefix': 'rest-api' }).addresses).to.include(
      'PUT /rest/api/cwxapiextension/latest/permissions/edit/{pageId}',
    );
    expect(read({ 'context-path': 'none' }).servers).to.not.include('http://127.0.0.1:8080/{context}');
  });

  it('has the response of isUnique in each form', () => {
    for (const [form, right, wrong] of [
      ['boolean', true, {}],
      ['inverted', false, {}],
      ['object', { unique: true }, true],
      ['status', {}, true],
    ] as const) {
      const { schema = {} } = contentOf(read({ 'is-unique-answer': form }).operation('spaces.is-unique'), 200) ?? {};
      expect(schemaErrors(schema, right), form).to.deep.equal([]);
      expect(schemaErrors(schema, wrong), form).to.not.deep.equal([]);
    }
  });

  it('requires credentials, lists the refusals, and allows fields to be left out', () => {
    const missing = { 'missing-field': 'empty', 'missing-list': 'empty', 'missing-parameter': 'empty' } as const;
    const document = read({ 'wiki-auth': 'admin', ...missing });
    const { security, responses, requestBody } = document.operation('groups.add-users');
    expect(security).to.not.deep.include({});
    expect(responses['401']?.['x-refusals']).to.deep.equal(['bad-credentials', 'wiki-anonymous']);
    expect(requestBody?.required).to.equal(false);
    const copying = document.operation('spaces.copy').parameters.filter(({ in: place }) => place === 'query');
    expect(copying.every(({ required = false }) => !required)).to.equal(true);
    expect(document.operation('ppf.push').requestBody?.required).to.equal(true);
  });

  it('shows no response that the readings might have changed', () => {
    const document = read({ 'wiki-success': 'messages' });
    expect(contentOf(document.operation('groups.add-users'), 200)?.examples).to.equal(undefined);
    expect(contentOf(document.operation('ppf.push'), 200)?.examples).to.not.equal(undefined);
    expect(bodyOf(document.operation('groups.add-users')).examples).to.not.equal(undefined);
  });
});

function read(some: SomeReadings = {}): Reader {
  return readOpenapi(openapiOf(layReadings(defaultReadings, some)));
}

function bodyOf({ requestBody }: DocumentedOperation): Media {
  const media = requestBody?.content['application/json'];
  if (media === undefined) throw new Error('there is no body');
  return media;
}

function contentOf({ responses }: DocumentedOperation, status: number): Media | undefined {
  return responses[status]?.content?.['application/json'];
}

/** The example's description is what happens; and the document shows just that, in its declared forms. */
function holdExample(documented: DocumentedOperation, id: OperationId | string, example: Example): void {
  const asked = responseTo(id as OperationId, example); // an operation of the catalog
  expect(asked.status).to.equal(example.response.status);
  expect(asked.reply).to.deep.equal(example.response.body);
  const content = contentOf(documented, asked.status);
  if (asked.reply === undefined) expect(content).to.equal(undefined);
  else expect(schemaErrors(content?.schema ?? {}, asked.reply)).to.deep.equal([]);
  expect(shownBy(content, example)).to.deep.equal(example.response.body);
  if (example.body !== undefined) {
    expect(shownBy(bodyOf(documented), example)).to.deep.equal(example.body);
    expect(schemaErrors(bodyOf(documented).schema, example.body)).to.deep.equal([]);
  }
  for (const { name, in: place, schema, examples } of documented.parameters) {
    const text = place === 'path' ? example.params?.[name] : place === 'query' ? example.query?.[name] : undefined;
    const shown = Object.values(examples ?? {}).find(({ summary }) => summary === example.title)?.value;
    expect(shown === undefined ? undefined : String(shown), name).to.equal(text);
    if (shown !== undefined) expect(schemaErrors(schema, shown), name).to.deep.equal([]);
  }
}

function responseTo(id: OperationId, { as: caller, params, query, body }: Example): Asked {
  const place = { ...(params !== undefined && { params }), ...(query !== undefined && { query }) };
  return ask(id, { as: caller ?? null, json: body, ...place });
}

function shownBy(media: Media | undefined, { title }: Example): unknown {
  return Object.values(media?.examples ?? {}).find(({ summary }) => summary === title)?.value;
}

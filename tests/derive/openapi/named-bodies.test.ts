// Every body and every reply of the OpenAPI documents has a name, so that client generators create a type for it.
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import { controlOpenapi } from '../../../server/control/control-openapi.js';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { restApiOpenapi } from '../../../server/derive/openapi/rest-api-openapi.js';
import { isObject } from '../../../server/domain/form/patch.js';

const documents = { operations: openapiOf(), restApi: restApiOpenapi(), control: controlOpenapi(actions, '0.0.0') };

/** The schemas of JSON requests and responses. */
function schemasIn(part: unknown): unknown[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    /^application\/(?:problem\+)?json$/.test(key) && isObject(value) ? [value.schema] : schemasIn(value),
  );
}

describe('the bodies and replies of the OpenAPI documents', () => {
  it('are named components', () => {
    for (const document of Object.values(documents)) {
      const { paths, components } = document as { paths: unknown; components: { schemas: object; responses: object } }; // as OpenAPI has it
      const schemas = schemasIn({ ...components.responses, paths }).filter(schema => schema !== undefined);
      expect(schemas).to.have.length.above(10);
      for (const schema of schemas) {
        expect(schema).to.have.all.keys('$ref');
        const reference = isObject(schema) ? String(schema.$ref) : '';
        expect(components.schemas).to.have.property(reference.replace('#/components/schemas/', ''));
      }
    }
  });

  it('share a name if they are equal', () => {
    const { paths, components } = documents.control as {
      paths: Record<string, Record<string, { responses: Record<string, object> }>>;
      components: { responses: Record<string, object> };
    };
    const declared = [paths['/sandboxes']?.post, paths['/sandboxes/{s}']?.put].map(one => one?.responses['201']);
    expect(declared).to.deep.equal(Array(2).fill({ $ref: '#/components/responses/Created' }));
    expect(JSON.stringify(components.responses.Created)).to.include('{"$ref":"#/components/schemas/Sandbox"}');
  });
});

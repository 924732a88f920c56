// The published schemas of the file formats are schemas: the server compiles them without asking, so it is asked here.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { formatSchemas } from '../../../server/scenario/format/format.js';

describe('the schemas of the file formats', () => {
  for (const [name, schema] of Object.entries(formatSchemas)) {
    it(`${name} fits the schema of schemas (draft 2020-12)`, () => {
      const ajv = new Ajv2020();
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).to.equal(true);
      expect(schema.$id).to.equal(`https://cwx-fake.dev/schemas/${name}.schema.json`);
    });
  }
});

// The published schemas of the file formats are valid schemas. The server compiles them unchecked, so they are checked here.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { formatSchemas } from '../../../server/scenario/format/format.js';

describe('the schemas of the file formats', () => {
  for (const [name, schema] of Object.entries(formatSchemas)) {
    it(`${name} is valid under the schema of schemas (draft 2020-12)`, () => {
      const ajv = new Ajv2020();
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).to.equal(true);
      expect(schema.$id).to.equal(`https://cwx-fake.dev/schemas/${name}.schema.json`);
    });
  }
});

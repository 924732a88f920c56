// The committed generated files equal the code's output, and there is a schema for each part of an operation.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate, generated, outdated } from '../../contracts/generated.js';
import { schemaDocuments } from '../../server/derive/schemas/schemas.js';
import { operations } from '../../server/operations/catalog/catalog.js';

const root = new URL('../../', import.meta.url);

describe('the generated files', () => {
  it('equal the output of the code, each at a path of its own', () => {
    expect(outdated()).to.deep.equal([]);
    expect(new Set(generated.map(({ path }) => path)).size).to.equal(generated.length);
  });

  it('are listed if they are missing, differ, or are no longer generated', () => {
    const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
    try {
      expect(outdated(folder)).to.deep.equal(generated.map(({ path }) => path));
      generate(folder);
      expect(outdated(folder)).to.deep.equal([]);
      writeFileSync(join(folder, 'docs/document.md'), 'other');
      writeFileSync(join(folder, 'docs/reference/old.md'), 'old');
      expect(outdated(folder)).to.deep.equal(['docs/document.md', 'docs/reference/old.md']);
      generate(folder);
      expect(outdated(folder)).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the schemas of the operations', () => {
  const documents = new Map(schemaDocuments().map(({ name, schema }) => [name, schema]));

  it('have the address under which others refer to them', () => {
    for (const [name, { $id, $schema }] of documents) {
      expect($id).to.equal(`https://cwx-fake.dev/schemas/${name}.schema.json`);
      expect($schema).to.equal('https://json-schema.org/draft/2020-12/schema');
      const written = JSON.parse(readFileSync(new URL(`dist/contracts/schemas/${name}.schema.json`, root), 'utf8'));
      expect(written.$id).to.equal($id);
    }
  });

  it('are one for each part of a request that has one', () => {
    for (const { id, params, body, query } of operations)
      for (const [part, shape] of Object.entries({ path: params, body, query }))
        expect(documents.has(`${id}.${part}`), `${id}.${part}`).to.equal(shape !== undefined);
  });
});

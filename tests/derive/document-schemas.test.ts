// Compares the published schemas with the tables of the document: the fields and types listed there are in them, and
// anything more is marked as a reading.
import { expect } from 'chai';
import { requestSchemas } from '../../server/derive/schemas/request-schema.js';
import { schemaDocuments } from '../../server/derive/schemas/schemas.js';
import { schemaErrors } from '../../server/engine/request/validate.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import {
  defaultReadings,
  gapIds,
  layReadings,
  type Readings,
  readingNames,
  type SomeReadings,
} from '../../server/operations/gaps/gaps.js';
import type { JsonSchema } from '../../server/operations/schema.js';
import { documentedRows } from '../model/operations/model-operations.js';

/** By the name of their schema. */
const document: Readonly<Record<string, unknown>> = Object.fromEntries(
  documentedRows.flatMap(([id, { fields }]) =>
    Object.entries(fields).map(([part, listed]) => [`${id}.${part}`, listed]),
  ),
);

/** Under these the fields are those of the document: none has another name. */
const withoutAlias = layReadings(defaultReadings, { 'all-group-field': 'groups-only' });

/** The fields a schema lists, in the words of the table above. */
function listed({ type: types, properties, items }: JsonSchema): unknown {
  const type = Array.isArray(types) ? types.find(one => one !== 'null') : types; // under a reading, null may replace a missing field
  if (type === 'array') return [listed(items as JsonSchema)];
  if (type !== 'object') return type === 'string' ? 'text' : type;
  return Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => [name, listed(schema)]),
  );
}

const named = (readings = defaultReadings) =>
  new Map(schemaDocuments(readings).map(({ name, schema }) => [name, schema]));
const partsOf = (documents: ReadonlyMap<string, JsonSchema>) =>
  [...documents].filter(([name]) => !name.endsWith('.reply') && !name.endsWith('.refusal'));

/** The same parts without the comment that names their readings, which takes long to find out. */
const partsUnder = (readings: Readings) =>
  operations.flatMap(one =>
    Object.entries(requestSchemas(one, readings)).map(([part, schema]) => [`${one.id}.${part}`, schema] as const),
  );

describe('the published schemas', () => {
  it('list the fields of the document, with their types, and no others', () => {
    const documents = named(withoutAlias);
    const found = [...documents].filter(([name]) => Object.hasOwn(document, name));
    expect(Object.fromEntries(found.map(([name, schema]) => [name, listed(schema)]))).to.deep.equal(document);
    expect(
      partsOf(documents)
        .map(([name]) => name)
        .filter(name => !Object.hasOwn(document, name)),
    ).to.deep.equal([]);
  });

  it('list them under every reading, and another only if a gap is about its name', () => {
    for (const gap of gapIds) {
      for (const reading of readingNames(gap)) {
        for (const [name, schema] of partsUnder(layReadings(withoutAlias, { [gap]: reading }))) {
          const more =
            gap === 'all-group-field' && reading === 'groups-or-group' && name === 'permissions.all-remove.body';
          const fields = document[name];
          const expected = more && typeof fields === 'object' ? { ...fields, group: ['text'] } : fields;
          expect(listed(schema), `${name} under ${gap}=${reading}`).to.deep.equal(expected);
        }
      }
    }
  });

  it('name the readings they follow, if they say more than the document, as all but the reply of push and pull', () => {
    const comments = [...named()].map(([name, { $comment }]) => [name, $comment] as const);
    expect(Object.fromEntries(comments)['ppf.push.body']).to.include(
      ' field-type=400, null-field=400, ppf-unknown-field=ignore, list-limit=none, ppf-empty-arrays=absent.',
    );
    const silent = comments.filter(([, comment]) => comment === undefined).map(([name]) => name);
    expect(silent).to.have.members(['ppf.push.reply', 'ppf.pull.reply']);
  });

  it('accept a number for a page, or any segment of a path, and nothing else', () => {
    const pathUnder = (some: SomeReadings) => {
      const { $id: _, ...schema } = named(layReadings(defaultReadings, some)).get('permissions.edit-add.path') ?? {};
      return schema;
    };
    const path = pathUnder({ 'page-id-format': 'any' });
    for (const pageId of ['65601', 'a/b', 'Über uns']) expect(schemaErrors(path, { pageId })).to.deep.equal([]);
    expect(schemaErrors(path, { pageId: '' })[0]?.keyword).to.equal('minLength');
    const digits = pathUnder({});
    expect(schemaErrors(digits, { pageId: '65601' })).to.deep.equal([]);
    const wrong = [{ pageId: 'a/b' }, { pageId: 65601 }, {}, { pageId: '1', page: '2' }];
    expect(wrong.map(params => schemaErrors(digits, params)[0]?.keyword)).to.deep.equal([
      'pattern',
      'type',
      'required',
      'additionalProperties',
    ]);
  });
});

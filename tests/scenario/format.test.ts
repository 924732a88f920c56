// The published formats: complete, derived from the ledger and the catalog, and told by nothing that an editor does not know.
import { expect } from 'chai';
import { formOf } from '../../server/domain/form.js';
import { misfits } from '../../server/engine/validate.js';
import { catalog, rules } from '../../server/operations/catalog.js';
import { gapIds, isReading, readingNames } from '../../server/operations/gaps.js';
import { formatSchemas } from '../../server/scenario/format.js';
import { readingsSchema } from '../../server/scenario/scenario-format.js';
import { smallTeam } from '../support/ask.js';

const { fixture, scenario } = formatSchemas;
const story = (more: object) =>
  misfits(scenario, { title: 'Mine', ...more }).map(({ pointer, problem }) => `${pointer} ${problem}`);

describe('the formats', () => {
  it('have names, titles and descriptions', () => {
    expect([fixture.$id, scenario.$id]).to.deep.equal([
      'https://cwx-fake.dev/schemas/fixture.schema.json',
      'https://cwx-fake.dev/schemas/scenario.schema.json',
    ]);
    for (const schema of [fixture, scenario]) {
      expect(schema.$schema).to.equal('https://json-schema.org/draft/2020-12/schema');
      expect(schema.title).to.be.a('string');
      expect(schema.description).to.be.a('string');
    }
  });

  it('the written form of a world is a fixture', () => {
    expect(misfits(fixture, formOf(smallTeam))).to.deep.equal([]);
  });

  it('the readings are those of the ledger', () => {
    const properties = readingsSchema.properties as Readonly<Record<string, object>>;
    expect(Object.keys(properties)).to.deep.equal(gapIds);
    for (const id of gapIds) {
      const fits = (reading: unknown) => misfits(readingsSchema, { [id]: reading }).length === 0;
      expect(
        readingNames(id).filter(name => !fits(name)),
        id,
      ).to.deep.equal([]);
      expect(fits('no-such-reading'), id).to.equal(isReading(id, 'no-such-reading'));
    }
    expect(misfits(readingsSchema, { 'unknown-user': 400, 'context-path': '/wiki' })).to.deep.equal([]);
  });

  it('calls and proofs are those of the catalog', () => {
    const steps = catalog.map(({ id }) => ({ say: id, call: id, proves: Object.keys(rules) }));
    expect(story({ steps })).to.deep.equal([]);
    expect(story({ steps: [{ say: 'a', call: 'groups.add-user' }] })[0]).to.match(/^\/steps\/0\/call must be one of /);
  });

  it('matchers may stand for any value that is expected, and for none that is sent', () => {
    const any = { $any: 'value' };
    expect(
      story({
        steps: [
          {
            say: 'a',
            expect: { status: any, headers: { A: { $match: 'x' } }, body: { $contains: [1] } },
            // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
            then: {
              users: any,
              groups: { g: any },
              pages: { '1': { edit: any, title: { $absent: true } } },
              licence: { ppf: any },
            },
          },
        ],
      }),
    ).to.deep.equal([]);
    expect(story({ steps: [{ say: 'a', call: any }] })).to.have.lengthOf(1);
    expect(story({ world: { users: any } })).to.have.lengthOf(1);
  });

  it('a patch takes records and fields away, but no collection', () => {
    expect(story({ world: { users: { a: null, b: { token: null } }, pages: { '1': null } } })).to.deep.equal([]);
    expect(story({ world: { users: null } })).to.deep.equal(['/users must be an object'].map(text => `/world${text}`));
    expect(misfits(fixture, { users: { a: null } })).to.have.lengthOf(2);
    expect(misfits(fixture, { extends: 'b', users: { a: null } })).to.deep.equal([]);
  });
});

// Names of object properties, wherever a file can contain a name: found, reported and refused like any other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { formOf } from '../../server/domain/form/form.js';
import { loadMap } from '../../server/scenario/load/map-file.js';
import { loadReadings } from '../../server/scenario/load/readings-file.js';
import { isProblems, type Problems } from '../../server/scenario/yaml/problem.js';
import { type Written, written } from '../support/files/files.js';
import { smallTeam } from '../support/worlds/ask.js';

const names = ['__proto__', 'constructor'];

/** Invalid files with `NAME` wherever a name is possible. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  'fixtures/wrong.yaml': [
    'NAME: {}',
    'users: { a: { NAME: 1 } }',
    'spaces: { s: { admins: [NAME] } }',
    'pages: { NAME: { title: a } }',
    'extends: NAME',
    'generate: { NAME: 1 }',
  ],
  'scenarios/wrong.yaml': [
    'title: a\nNAME: {}',
    'title: a\nfixture: NAME',
    'title: a\nreadings: { NAME: a }',
    'title: a\nworld: { users: { NAME: null } }',
    'title: a\nsteps: [{ say: a, call: NAME }]',
    'title: a\nfixture: small-team\nsteps: [{ say: a, as: NAME, call: ppf.push }]',
    'title: a\nsteps: [{ say: a, call: ppf.push, expect: { body: { $NAME: 1 } } }]',
    `title: a\nsteps: [{ say: a, call: ppf.push, body: "$${'{NAME}'}" }]`,
    'title: a\ngap: view-post\nsteps: [{ say: a, call: ppf.push, for: { NAME: { expect: { status: 200 } } } }]',
    'title: a\nfaults: [{ operation: ppf.push, effect: { NAME: 500 } }]',
  ],
  'readings.yaml': ['NAME: a', 'view-post: NAME', 'view-post: { NAME: 1 }', 'view-post: [{ NAME: 1 }]'],
  'map.yaml': ['NAME: {}', 'users: { NAME: a }', 'spaces: { ds: { NAME: a } }', 'users: { alice: { NAME: a } }'],
};

describe('the name of an object property in a file', () => {
  let files: Written;
  before(() => {
    files = written({});
  });
  after(() => files.remove());
  afterEach(() => expect(({} as { polluted?: unknown }).polluted).to.equal(undefined));

  /** The problems of a file with the name, which they call `NAME`, without the place and the nearest name. */
  function problemsOf(place: string, text: string, name: string): string[] {
    const file = join(files.root, place);
    writeFileSync(file, text.replaceAll('NAME', name));
    const messages = (loaded: object | Problems) =>
      isProblems(loaded) ? loaded.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`) : [];
    const loads: Readonly<Record<string, () => object | Problems>> = {
      'readings.yaml': () => loadReadings(file),
      'map.yaml': () => loadMap(file, smallTeam),
    };
    const found = messages(loads[place]?.() ?? { problems: files.problems(place) });
    const plain = (problem: string) => problem.replaceAll(name, 'NAME').replace(/ \(did you mean [^)]*\?\)/g, '');
    const words = (problem: string) => plain(problem).split(/[ ,.:]+/);
    return found.map(problem => words(problem).toSorted().join(' ')); // names are listed in their order
  }

  for (const [place, texts] of Object.entries(wrong))
    it(`is reported in ${place} like any other name`, () => {
      for (const text of texts)
        for (const name of names) {
          const found = problemsOf(place, text, name);
          expect(found, text).to.not.deep.equal([]);
          expect(found, text).to.deep.equal(problemsOf(place, text, name.replace(/[A-Za-z]/g, 'Q')));
        }
    });

  it('can be given in a fixture, and changed, captured and expected in a scenario', () => {
    for (const name of names) {
      const fixture = [
        `users: { ${name}: { displayName: ${name}, token: ${name} } }`,
        `groups: { ${name}: [${name}] }`,
        `spaces: { ${name}: { admins: [${name}] } }`,
        `pages: { 7: { space: ${name}, title: ${name}, author: ${name}, view: { users: [${name}], groups: [${name}] } } }`,
        `filters: { 5: { name: ${name}, owner: ${name}, sharedWith: { groups: [${name}] } } }`,
        `favourites: { ${name}: { filters: [5] } }`,
      ];
      writeFileSync(join(files.root, `fixtures/${name}.yaml`), fixture.join('\n'));
      const story = [
        `title: ${name}`,
        `fixture: ${name}`,
        `world: { users: { ${name}: { displayName: new } }, groups: { ${name}: null } , pages: { 7: { view: { groups: [] } } }, filters: { 5: { sharedWith: everyone } } }`,
        `steps: [{ say: a, as: ${name}, call: groups.add-users, query: { ${name}: "1" }, body: { group: ${name}, ${name}: 1 }, capture: { ${name.replaceAll('_', 'x')}: /${name} }, expect: { body: { ${name}: { $any: value } }, headers: { ${name}: a } } }]`,
      ];
      writeFileSync(join(files.root, `scenarios/${name}.yaml`), story.join('\n'));
      expect(files.check(`fixtures/${name}.yaml`)).to.deep.equal([]);
      expect(files.check(`scenarios/${name}.yaml`)).to.deep.equal([]);
      const { users, groups, pages } = formOf(files.load(name).origin.world);
      expect(Object.entries(users)).to.deep.equal([[name, { displayName: 'new', admin: false, token: name }]]);
      expect(Object.keys(groups)).to.deep.equal([]);
      expect(pages['7']).to.deep.include({ space: name, title: name, author: name });
    }
  });
});

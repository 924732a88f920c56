// A map file maps names of a fixture to names on a real server: it is loaded whole, or refused with everything that is wrong.
import { expect } from 'chai';
import { defaultFolders } from '../../../server/scenario/files/folders.js';
import { loadNamed } from '../../../server/scenario/load/load.js';
import { loadMap } from '../../../server/scenario/load/map-file.js';
import { isProblems, showProblem } from '../../../server/scenario/yaml/problem.js';
import { places } from '../../support/files/files.js';
import { scratch } from '../../support/files/scratch.js';

const fixture = loadNamed('small-team', defaultFolders(process.cwd()));
if (isProblems(fixture)) throw new Error(JSON.stringify(fixture.problems));
const { world } = fixture.origin;

const loading = (...lines: string[]) => {
  const folder = scratch({ 'map.yaml': lines.join('\n') });
  const loaded = loadMap(`${folder.path}/map.yaml`, world);
  folder.drop();
  return loaded;
};
const problems = (...lines: string[]): string[] => {
  const loaded = loading(...lines);
  return isProblems(loaded) ? loaded.problems.map(problem => showProblem({ ...problem, file: 'map' })) : [];
};

describe('a map', () => {
  it('maps names to names or ids; an id is text or a number', () => {
    const loaded = loading(
      'users: { alice: jdoe }',
      'groups: { customers: qa-sandbox }',
      'spaces: { tmpl: { key: TPL, name: Templates }, ds: { key: DOC } }',
      'pages: { "65701": { id: "123", title: Project Home }, 65601: { id: 124 } }',
      'filters: { 10500: 20017 }',
      'dashboards: { 11000: 20018 }',
    );
    if (isProblems(loaded)) throw new Error(JSON.stringify(loaded.problems));
    const { spaces, pages, ...others } = loaded.map;
    const pairs = Object.values(others).flatMap(names => [...names].map(String));
    expect(pairs).to.deep.equal(['alice,jdoe', 'customers,qa-sandbox', '10500,20017', '11000,20018']);
    expect(Object.fromEntries(spaces)).to.deep.equal({ tmpl: { key: 'TPL', name: 'Templates' }, ds: { key: 'DOC' } });
    expect(Object.fromEntries(pages)).to.deep.equal({
      65701: { id: '123', title: 'Project Home' },
      65601: { id: '124' },
    });
  });

  it('may be empty', () => {
    const loaded = loading('');
    expect(isProblems(loaded) ? loaded.problems : loaded.map.users.size).to.equal(0);
  });

  it('reports all problems at once, each with its place and the nearest name', () => {
    const lines = [
      'users: { alise: jdoe, carol: 5 }',
      'grups: {}',
      'spaces: { tmp: { key: TPL }, ds: { nam: X } }',
      'pages: { "65702": { id: [] } }',
      'filters: { 10500: mine }',
    ];
    expect(places(problems(...lines)).replaceAll('map:', '')).to.equal(
      '1:10 alice, 1:30, 2:1 groups, 3:11 tmpl, 3:30, 3:36 name, 4:10 65701, 4:25, 5:19',
    );
  });

  it('maps each name to a different one', () => {
    expect(
      places(problems('users: { alice: jdoe, carol: jdoe }', 'spaces: { ds: { key: A }, tmpl: { key: A } }')),
    ).to.equal('map:1:30, map:2:33');
  });

  it('is reported if the file is not a map', () => {
    expect(problems('- a')).to.deep.equal(['map:1:1: The file must be an object, not a list of length 1.']);
    expect(problems('users: {')[0]).to.match(/^map:\d+:\d+: /);
    const missing = loadMap('/nowhere/map.yaml', world);
    expect(isProblems(missing) && missing.problems[0]?.message).to.be.a('string');
  });
});

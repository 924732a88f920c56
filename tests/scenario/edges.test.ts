// The other inputs: a file of readings and a patch from the control API, each with its problems.

import { join } from 'node:path';
import { expect } from 'chai';
import { patchErrors } from '../../server/scenario/checks/world-patch.js';
import { loadReadings } from '../../server/scenario/load/readings-file.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { type Written, written } from '../support/files/files.js';
import { smallTeam } from '../support/worlds/ask.js';

describe('a file of readings', () => {
  let files: Written;
  afterEach(() => files.remove());
  const load = (text: string) => {
    files = written({ 'readings.yaml': text });
    const loaded = loadReadings(join(files.root, 'readings.yaml'));
    return isProblems(loaded)
      ? loaded.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`)
      : loaded.readings;
  };

  it('has a reading for each gap it names', () => {
    expect(load('unknown-user: 400\nview-post: add\n')).to.deep.equal({ 'unknown-user': '400', 'view-post': 'add' });
    files.remove();
    expect(load('')).to.deep.equal({});
  });

  it('reports each problem', () => {
    expect(load('unknown-user: 401\nview-pots: add\nview-post: [add]\nview-post: add\n')).to.deep.equal([
      '1:15: unknown-user has no reading "401" (did you mean "404"?): expected 404, 400, skip.',
      '2:1: Unknown gap "view-pots" (did you mean "view-post"?).',
      '3:12: view-post must be one of its readings, not a list of 1.',
      '4:1: The key "view-post" is a duplicate of line 3.',
    ]);
  });
});

describe('a patch of a world', () => {
  it('has no problems if it makes a valid world', () => {
    const patch = { users: { zoe: {} }, groups: { customers: ['zoe'] }, pages: { '65601': null } };
    expect(patchErrors(smallTeam, patch)).to.deep.equal([]);
  });

  it('reports wrong form, unknown names and removals, by pointer', () => {
    const patch = JSON.parse(
      '{"users":{"carol":null,"__proto__":{"admin":1}},"groups":{"customers":["zoe"]},"pages":{"7":{"space":"ds"}},"x":1}',
    );
    expect(patchErrors(smallTeam, patch)).to.deep.equal([
      {
        pointer: '/x',
        message:
          'Unknown key "x": expected one of users, groups, spaces, pages, filters, dashboards, favourites, licence, nextPageId.',
      },
      {
        pointer: '/users/__proto__/admin',
        message: '/users/__proto__/admin must be true or false or null, not the number 1.',
      },
      { pointer: '/pages/7', message: '/pages/7 needs the key "title".' },
      {
        pointer: '/groups/customers/0',
        message: 'Unknown user "zoe": expected one of __proto__, admin, alice, demouser1, demouser2.',
      },
      {
        pointer: '/users/carol',
        message: 'The user "carol" is removed, but /groups/jira-core-users/1 still refers to it.',
      },
      { pointer: '/users/carol', message: 'The user "carol" is removed, but /pages/65701/author still refers to it.' },
      {
        pointer: '/users/carol',
        message: 'The user "carol" is removed, but /pages/65701/updatedBy still refers to it.',
      },
      { pointer: '/users/carol', message: 'The user "carol" is removed, but /filters/10600/owner still refers to it.' },
      {
        pointer: '/users/carol',
        message: 'The user "carol" is removed, but /dashboards/11100/owner still refers to it.',
      },
    ]);
  });

  it('is refused if it is not an object', () => {
    for (const patch of [[], 'x', 7, null] as never[]) {
      expect(patchErrors(smallTeam, patch)).to.have.lengthOf(1);
    }
  });
});

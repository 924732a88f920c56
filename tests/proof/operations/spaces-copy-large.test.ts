// A copy of as many pages as allowed at once: it shares the text of its source, and edits of one do not affect the other.
import { expect } from 'chai';
import type { World } from '../../../server/domain/world/world.js';
import { ask } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';

const PAGES = 20_000;
const FIRST = 200_000;

describe('spaces.copy: the largest number of pages at once', () => {
  const body = 'all work and no play '.repeat(49_000);
  const view = { users: ['alice'], groups: [] };
  let on: World;
  before(() => {
    on = teamWith({
      spaces: { big: { name: 'Big' } },
      pages: Object.fromEntries(
        Array.from({ length: PAGES }, (_, i) => [FIRST + i, { space: 'big', title: `Page ${i}`, body, view }]),
      ),
    });
  });
  const query = {
    sourceSpaceKey: 'big',
    targetSpaceKey: 'BIG2',
    targetSpaceTitle: 'Big two',
    targetSpaceAdmin: 'alice',
    removeAdminPermissions: 'false',
    keepPagesMetadata: 'false',
  };

  it('spaces.copy: one fact creates them all; each has the text and the permissions of its source', () => {
    const heapBefore = process.memoryUsage().heapUsed;
    const asked = ask('spaces.copy', { on, query });
    expect(asked.facts).to.have.lengthOf(1);
    expect(JSON.stringify(asked.facts)).to.have.lengthOf.below(300);
    expect(asked.world.pageIndex.get('BIG2')?.ids.size).to.equal(PAGES);
    expect(asked.world.nextPageId).to.equal(FIRST + 2 * PAGES);
    for (const i of [0, 1, 777, PAGES - 1]) {
      const source = on.pages.get(String(FIRST + i));
      const copy = asked.world.pages.get(String(FIRST + PAGES + i));
      expect(copy).to.include({ space: 'BIG2', title: `Page ${i}` });
      expect(copy?.body === source?.body).to.equal(true);
      expect(copy?.view).to.equal(source?.view);
    }
    // Texts of their own would be 100 GB; sharing them leaves the records and the index.
    expect(process.memoryUsage().heapUsed - heapBefore).to.be.below(2 ** 30);
  });

  it('spaces.copy: an edit of a page of the copy leaves its source alone', () => {
    const { world } = ask('spaces.copy', { on, query });
    const edited = ask('spaces.replace-in-page', {
      on: world,
      query: { spaceKey: 'BIG2', pageTitle: 'Page 5' },
      json: [{ oldText: body, newText: 'short' }],
    });
    expect(edited.world.pages.get(String(FIRST + PAGES + 5))?.body).to.equal('short');
    expect(edited.world.pages.get(String(FIRST + 5))).to.equal(on.pages.get(String(FIRST + 5)));
  });
});

// Pages of results for a caller who may not view all: always equal to a fresh filter, whatever is cached.
import { expect } from 'chai';
import { evolve, type Fact } from '../../../server/domain/facts.js';
import { worldFrom } from '../../../server/domain/form/form.js';
import { pagesOf } from '../../../server/domain/world/pages.js';
import type { World } from '../../../server/domain/world/world.js';
import type { Caller } from '../../../server/operations/operation-context.js';
import { mayView, visiblePages } from '../../../server/operations/rest-api/visibility.js';

describe('the pages that a caller may view', () => {
  const users = ['u', 'v', 'w'];
  const names = [...users, 'g', ...Array.from({ length: 9 }, (_, n) => `x${n}`)];
  const pages = Array.from({ length: 300 }, (_, i) => {
    const views: ReadonlyArray<{ users?: string[]; groups?: string[] }> = [
      {},
      { users: ['u'] },
      { groups: ['g'] },
      { users: ['v'], groups: ['h'] },
      { users: ['w'] },
      { users: ['u', 'v'], groups: ['g'] },
      { users: ['g', ...Array.from({ length: 9 }, (_, n) => `x${n}`)], groups: ['u'] },
    ];
    const view = { users: [], groups: [], ...views[(i >> 4) % views.length] };
    return [String(i + 1), { space: 'a', title: `T${i}`, view }] as const;
  });
  const start = worldFrom({
    users: { ...Object.fromEntries(names.map(name => [name, {}])), root: { admin: true } },
    groups: { g: ['v'], h: [], u: ['w'] },
    spaces: { a: {} },
    pages: Object.fromEntries(pages),
  });
  const callers: readonly Caller[] = [
    { kind: 'anonymous' },
    ...[...users, 'root'].map(name => ({ kind: 'user', name }) as const),
  ];

  const expectRight = (world: World, from: number) => {
    for (const caller of callers) {
      const all = pagesOf(world, 'a').flatMap(([id, page]) => (mayView({ world, caller }, page) ? [id] : []));
      for (const at of [0, from, from + 1, Math.max(0, all.length - 3), all.length, 2_000])
        expect(visiblePages({ world, caller }, ['a'], at, 7)).to.deep.equal(all.slice(at, at + 7));
    }
  };

  it('are the permitted ones, from any place, and after any change of pages, restrictions and groups', () => {
    let world = start;
    expectRight(world, 150);
    for (let i = 0; i < 30; i += 1) {
      const page = String(1 + ((i * 97) % 300));
      const [user = 'u', group] = [users[i % 3], i % 2 === 0 ? 'g' : 'h'];
      const facts: readonly Fact[] = [
        { type: 'page-permission-added', page, permission: 'view', users: [user], groups: [group] },
        { type: 'page-permission-removed', page, permission: 'view', users, groups: ['g', 'h'] },
        { type: 'group-member-added', group, user },
        { type: 'group-member-removed', group, user },
        { type: 'world-patched', patch: { pages: { [page]: null } } },
        { type: 'world-patched', patch: { pages: { [page]: { space: 'a', title: `N${i}`, position: i * 9 } } } },
      ];
      world = evolve(world, facts[i % facts.length] as Fact);
      expectRight(world, (i * 31) % 210);
    }
  });
});

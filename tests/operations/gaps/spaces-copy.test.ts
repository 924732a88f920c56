// Each reading of the gaps that affect a copy: taken or odd keys, unknown spaces and admins, the chosen admin and authors.
import { expect } from 'chai';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';

const id = 'spaces.copy';
const now = '2026-03-04T05:06:07Z';
const query = {
  sourceSpaceKey: 'tmpl',
  targetSpaceKey: 'APOLLO',
  targetSpaceTitle: 'Apollo',
  targetSpaceAdmin: 'alice',
  removeAdminPermissions: 'false',
  keepPagesMetadata: 'true',
};

/** The admins of the source are copied too, besides another one. */
const inherited = { 'copied-content': 'all' };
/** Alice is not an admin. */
const ofAlice = { ...inherited, 'admin-eligibility': 'any-user' };

describe('gap unknown-space, on a copy', () => {
  for (const status of [404, 400] as const) {
    it(`unknown-space=${status}: no copy without a source`, () => {
      const asked = ask(id, {
        query: { ...query, sourceSpaceKey: 'none' },
        readings: { 'unknown-space': `${status}` },
      });
      expectRefused(asked, {
        status,
        code: 'unknown-space',
        message: 'There is no space with the key "none".',
        gaps: { 'unknown-space': `${status}` },
      });
    });
  }
});

describe('gap copy-success', () => {
  const key = { targetSpaceKey: 'APOLLO', targetSpaceTitle: 'Apollo' };
  for (const [reading, status, body] of [
    ['201', 201, {}],
    ['202', 202, { id: 'APOLLO', links: { status: '/rest/api/longtask/APOLLO' } }],
    ['space', 201, { key: 'APOLLO', name: 'Apollo', type: 'global' }],
  ] as const)
    it(`copy-success=${reading}: the copy is made, and the response is ${status} with ${JSON.stringify(body)}`, () => {
      const asked = ask(id, { query: { ...query, ...key }, readings: { 'copy-success': reading } });
      expect([asked.status, asked.reply]).to.deep.equal([status, body]);
      expect(asked.gaps).to.deep.include({ 'copy-success': reading });
      expect(asked.gaps).not.to.have.property('wiki-success');
      expect(asked.form.spaces.APOLLO?.name).to.equal('Apollo');
    });

  it('copy-success=like-others: wiki-success decides', () => {
    const asked = ask(id, { query, readings: { 'wiki-success': 'no-content' } });
    expect(asked.status).to.equal(204);
    expect(asked.gaps).to.include({ 'copy-success': 'like-others', 'wiki-success': 'no-content' });
  });
});

describe('gap space-title-form', () => {
  const titled = (title: string, readings: SomeReadings = {}) =>
    ask(id, { query: { ...query, targetSpaceTitle: title }, readings });

  it('space-title-form=any: an empty title and a long one are accepted', () => {
    for (const title of ['', 'x'.repeat(256)])
      expect([titled(title).status, titled(title).gaps['space-title-form']]).to.deep.equal([200, 'any']);
  });

  it('space-title-form=1-to-255: they are refused', () => {
    const readings = { 'space-title-form': '1-to-255' } as const;
    for (const [title, length] of [['', 0] as const, ['x'.repeat(256), 256] as const])
      expectRefused(titled(title, readings), {
        status: 400,
        code: 'space-title-form',
        message: `targetSpaceTitle has ${length} characters: a title has 1 to 255.`,
        gaps: readings,
      });
    expect(titled('ü'.repeat(255), readings).status).to.equal(200);
  });
});

describe('gap unknown-user, on a copy', () => {
  const unknown = { ...query, targetSpaceAdmin: 'bob' };
  for (const status of [404, 400] as const) {
    it(`unknown-user=${status}: no copy for an admin who does not exist`, () => {
      expectRefused(ask(id, { query: unknown, readings: { 'unknown-user': `${status}` } }), {
        status,
        code: 'unknown-user',
        message: 'There is no user named "bob".',
        gaps: { 'unknown-user': `${status}` },
      });
    });
  }

  it('unknown-user=skip: the name is skipped, so the default admin is picked', () => {
    const asked = ask(id, { query: unknown, readings: { 'unknown-user': 'skip' } });
    expect(asked.status).to.equal(200);
    expect(asked.rules).to.include('spaces.copy-default-admin');
    expect(asked.gaps).to.deep.equal({
      'unknown-user': 'skip',
      'copy-success': 'like-others',
      'wiki-success': 'object',
    });
    expect(asked.form.spaces.APOLLO?.admins).to.deep.equal(['admin']);
  });
});

describe('gap target-space-exists', () => {
  for (const status of [409, 400] as const) {
    it(`target-space-exists=${status}: refused, and the existing space is unchanged`, () => {
      const asked = ask(id, {
        query: { ...query, targetSpaceKey: 'ds' },
        readings: { 'target-space-exists': `${status}` },
      });
      expectRefused(asked, {
        status,
        code: 'target-space-exists',
        message: 'There is a space with the key "ds" already.',
        gaps: { 'target-space-exists': `${status}` },
      });
    });
  }

  it('target-space-exists: applies to a space copied onto itself, but not to a key in another case or a taken title', () => {
    expect(ask(id, { query: { ...query, targetSpaceKey: 'tmpl' } }).refused).to.equal('target-space-exists');
    const asked = ask(id, { query: { ...query, targetSpaceKey: 'DS', targetSpaceTitle: 'Demonstration Space' } });
    expect(asked.status).to.equal(200);
    expect(asked.gaps).to.include({ 'copy-success': 'like-others', 'wiki-success': 'object' });
  });
});

describe('gap space-key-format', () => {
  const odd = ['', 'a b', 'a-b', '~carol', 'ä', 'a/b', 'A'.repeat(256), 'é', '😀', 'a\n', '__proto__'];
  for (const key of odd) {
    const shown = JSON.stringify(key.slice(0, 12));
    it(`space-key-format=alphanumeric: ${shown} (${key.length}) is refused`, () => {
      const asked = ask(id, { query: { ...query, targetSpaceKey: key } });
      expectRefused(asked, {
        status: 400,
        code: 'space-key-format',
        message: /^targetSpaceKey is ".*": a key has 1 to 255 of the characters A-Z, a-z and 0-9\.$/,
        gaps: { 'space-key-format': 'alphanumeric' },
      });
    });

    it(`space-key-format=any: ${shown} (${key.length}) is a key`, () => {
      const asked = ask(id, { query: { ...query, targetSpaceKey: key }, readings: { 'space-key-format': 'any' } });
      expect(asked.status).to.equal(200);
      expect(asked.gaps).to.deep.equal({
        ...ofAlice,
        'space-key-format': 'any',
        'copy-success': 'like-others',
        'wiki-success': 'object',
      });
      expect(asked.world.spaces.get(key)?.name).to.equal('Apollo');
      expect(Object.hasOwn(asked.form.spaces, key)).to.equal(true);
    });
  }

  for (const key of ['a', '0', 'constructor', 'toString', 'Z'.repeat(255)]) {
    it(`space-key-format: does not decide on ${key.slice(0, 12)} (${key.length})`, () => {
      const asked = ask(id, { query: { ...query, targetSpaceKey: key } });
      expect(asked.status).to.equal(200);
      expect(asked.gaps).to.include({ 'copy-success': 'like-others', 'wiki-success': 'object' });
      expect(asked.world.spaces.has(key)).to.equal(true);
    });
  }
});

describe('gap default-space-admin', () => {
  const on = teamWith({ users: { boss: { admin: true }, abe: { admin: true } } });
  const empty = { ...query, targetSpaceAdmin: '' };
  const admins = (asked: ReturnType<typeof ask>) => asked.form.spaces.APOLLO?.admins;

  it('default-space-admin=first-admin: the first by name', () => {
    const asked = ask(id, { on, query: empty, as: 'boss' });
    expect(admins(asked)).to.deep.equal(['abe', 'admin']);
    expect(asked.gaps).to.deep.equal({
      ...inherited,
      'default-space-admin': 'first-admin',
      'copy-success': 'like-others',
      'wiki-success': 'object',
    });
  });

  it('default-space-admin=caller: the caller, an admin or not', () => {
    const readings = { 'default-space-admin': 'caller' } as const;
    const asked = ask(id, { on, query: empty, as: 'boss', readings });
    expect(admins(asked)).to.deep.equal(['admin', 'boss']);
    expect(asked.gaps).to.deep.equal({
      ...inherited,
      'default-space-admin': 'caller',
      'copy-success': 'like-others',
      'wiki-success': 'object',
    });
    expect(admins(ask(id, { on, query: empty, as: 'alice', readings }))).to.deep.equal(['admin', 'alice']);
  });

  it('default-space-admin=caller: for an anonymous caller the first admin by name, and the gap decided nothing', () => {
    const asked = ask(id, { on, query: empty, as: null, readings: { 'default-space-admin': 'caller' } });
    expect(admins(asked)).to.deep.equal(['abe', 'admin']);
    expect(asked.gaps).not.to.have.property('default-space-admin');
  });

  it('default-space-admin: is not named if the caller is the first admin, or an admin is named', () => {
    for (const reading of ['first-admin', 'caller'] as const) {
      const readings = { 'default-space-admin': reading };
      expect(ask(id, { on, query: empty, as: 'abe', readings }).gaps).to.deep.equal({
        ...inherited,
        'copy-success': 'like-others',
        'wiki-success': 'object',
      });
      expect(ask(id, { on, query, as: 'boss', readings }).gaps).to.deep.equal({
        ...ofAlice,
        'copy-success': 'like-others',
        'wiki-success': 'object',
      });
    }
  });

  it('default-space-admin=first-admin: refused if the world has no admin', () => {
    const nobody = teamWith({ users: { admin: { admin: false } } });
    expectRefused(ask(id, { on: nobody, query: empty, as: 'alice' }), {
      status: 400,
      code: 'no-default-admin',
      message: 'No user of this wiki is an admin: name one in targetSpaceAdmin.',
      rules: ['spaces.copy-default-admin'],
      gaps: { 'wiki-auth': 'open', 'default-space-admin': 'first-admin' },
      on: nobody,
    });
    const readings = { 'default-space-admin': 'caller' } as const;
    expect(ask(id, { on: nobody, query: empty, as: 'alice', readings }).status).to.equal(200);
  });
});

describe('gap copied-metadata-when-not-kept', () => {
  const anew = { ...query, keepPagesMetadata: 'false' };
  const stamp = (author: string) => ({ author, created: now, updatedBy: author, updated: now });

  it('copied-metadata-when-not-kept=caller-now: the caller and the time of the copy', () => {
    const asked = ask(id, { query: anew, as: 'carol', now });
    expect(asked.form.pages['65702']).to.include(stamp('carol'));
    expect(asked.gaps).to.include({ 'copied-metadata-when-not-kept': 'caller-now' });
    expect(ask(id, { query: anew, as: null, now }).form.pages['65702']).to.include(stamp('anonymous'));
  });

  it('copied-metadata-when-not-kept=admin-now: the admin of the new space and the time of the copy', () => {
    const readings = { 'copied-metadata-when-not-kept': 'admin-now' } as const;
    const asked = ask(id, { query: anew, as: 'carol', now, readings });
    expect(asked.form.pages['65702']).to.include(stamp('alice'));
    expect(asked.gaps).to.include({ 'copied-metadata-when-not-kept': 'admin-now' });
  });

  it('copied-metadata-when-not-kept: is not named if it makes no difference', () => {
    const same = ask(id, { query: { ...anew, targetSpaceAdmin: 'admin' }, now });
    expectDone(same, same.facts);
    expect(same.gaps).to.deep.equal({ 'copy-success': 'like-others', 'wiki-success': 'object' });
    expect(ask(id, { query, as: 'carol', now }).gaps).not.to.have.property('copied-metadata-when-not-kept');
    const on = teamWith({ spaces: { bare: {} } });
    const withoutPages = ask(id, { on, query: { ...anew, sourceSpaceKey: 'bare' } });
    expect(withoutPages.gaps).to.deep.equal({
      'admin-eligibility': 'any-user',
      'copy-success': 'like-others',
      'wiki-success': 'object',
    });
  });
});

describe('gap copied-content', () => {
  const on = teamWith({
    spaces: { tmpl: { name: 'Template Space', admins: ['admin', 'carol'], sidebar: [{ label: 'a', url: '/a' }] } },
    pages: { '65701': { space: 'tmpl', title: 'Template Home', view: { users: ['carol'], groups: [] } } },
  });
  const query = { ...(validQuestions['spaces.copy'].query as object), targetSpaceAdmin: 'admin' };
  const copied = (readings: SomeReadings, more: object = {}) => {
    const asked = ask('spaces.copy', { on, query: { ...query, ...more }, readings });
    const { spaces, pages, nextPageId } = asked.form;
    return { asked, space: spaces.APOLLO, page: pages[String(nextPageId - 1)] };
  };

  it('copied-content=all: links, admins and restrictions are copied too', () => {
    const { asked, space, page } = copied({});
    expect(asked.gaps['copied-content']).to.equal('all');
    expect(space).to.deep.include({ admins: ['admin', 'carol'], sidebar: [{ label: 'a', url: '/a' }] });
    expect(page?.view).to.deep.equal({ users: ['carol'], groups: [] });
  });

  it('copied-content=pages: nothing but the pages; the only admin is the chosen one, or none', () => {
    const { space, page } = copied({ 'copied-content': 'pages' });
    expect(space).to.deep.include({ admins: ['admin'], sidebar: [] });
    expect(page).to.deep.include({ title: 'Template Home', view: { users: [], groups: [] } });
    const removed = copied({ 'copied-content': 'pages' }, { removeAdminPermissions: 'true' });
    expect(removed.space?.admins).to.deep.equal([]);
  });

  it('copied-content: is not named if there is nothing but pages', () => {
    const asked = ask('spaces.copy', { query });
    expect(asked.gaps).not.to.have.property('copied-content');
  });
});

describe('gap admin-eligibility', () => {
  it('admin-eligibility=any-user: a user who is not an admin becomes the admin', () => {
    const asked = ask('spaces.copy', validQuestions['spaces.copy']);
    expect([asked.status, asked.gaps['admin-eligibility']]).to.deep.equal([200, 'any-user']);
  });

  it('admin-eligibility=admins-only: such a user is refused, an admin is not', () => {
    const readings = { 'admin-eligibility': 'admins-only' } as const;
    expectRefused(ask('spaces.copy', { ...validQuestions['spaces.copy'], readings }), {
      status: 400,
      code: 'admin-eligibility',
      message: '"alice" is no admin of this wiki: name one in targetSpaceAdmin.',
      gaps: { 'admin-eligibility': 'admins-only' },
    });
    const query = { ...(validQuestions['spaces.copy'].query as object), targetSpaceAdmin: 'admin' };
    expect(ask('spaces.copy', { query, readings }).status).to.equal(200);
  });
});

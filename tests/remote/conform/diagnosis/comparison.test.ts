// Compares responses with those of a correct server: if the document gives no status, any refusal is a refusal.
import { expect } from 'chai';
import type { AnyOperationId } from '../../../../server/operations/catalog.js';
import { compare } from '../../../../server/remote/conform/diagnosis/comparison.js';
import type { Played } from '../../../../server/scenario/play/player.js';

function played(
  call: AnyOperationId,
  status: number,
  outcome: Played['outcome'],
  of: 'status' | 'body' | 'world' = 'status',
): Played {
  return {
    index: 0,
    line: 1,
    step: { say: 'it is refused', call, expect: { status: 404 } },
    outcome,
    differences: outcome === 'failed' ? [{ of, pointer: '', expected: 404, found: status, says: 'differs' }] : [],
    unchecked: [],
    duration: 1,
    sent: { method: 'POST', path: '/', headers: {} },
    received: { status, headers: { 'x-fake-operation': call }, text: '' },
  };
}

const deviation = (call: AnyOperationId, due: number, status: number, of?: 'status' | 'body' | 'world') =>
  compare('a.yaml', played(call, status, 'failed', of), played(call, due, 'passed'))?.deviation;

describe('a response compared with that of a correct server', () => {
  it('differs if push or pull is refused with another status than the document gives', () => {
    expect(deviation('ppf.push', 400, 422)).to.equal('refused otherwise');
    expect(deviation('ppf.push', 400, 404)).to.equal('unserved');
    expect(deviation('ppf.push', 400, 301)).to.equal('unserved');
    expect(deviation('ppf.push', 403, 302)).to.equal('refused otherwise');
  });

  it('does not differ if the wiki refuses with another status, as the document gives none', () => {
    for (const status of [400, 403, 409, 422]) expect(deviation('groups.add-users', 404, status)).to.equal(undefined);
  });

  it('differs if the wiki fails, serves what it should refuse, or refuses and does it all the same', () => {
    expect(deviation('groups.add-users', 404, 500)).to.equal('error');
    expect(deviation('groups.add-users', 404, 200)).to.equal('accepted');
    expect(deviation('groups.add-users', 404, 422, 'world')).to.equal('effect');
  });

  it('is not served, broken or refused, where only the world shows it: the step takes any status', () => {
    expect(deviation('ppf.pull', 200, 404, 'world')).to.equal('unserved');
    expect(deviation('ppf.pull', 200, 500, 'world')).to.equal('error');
    expect(deviation('ppf.pull', 200, 200, 'world')).to.equal('effect');
    expect(deviation('groups.add-users', 200, 409, 'world')).to.equal('effect');
    expect(deviation('ppf.push', 200, 400, 'world')).to.equal('refused');
  });

  it('does not differ if the method of a heading is not served', () => {
    const post = (one: Played): Played => ({ ...one, step: { ...one.step, method: 'POST' } });
    const found = compare(
      'a.yaml',
      post(played('permissions.edit-remove', 405, 'failed')),
      post(played('permissions.edit-remove', 200, 'passed')),
    );
    expect([found?.deviation, found?.tolerated]).to.deep.equal([undefined, 'unserved']);
  });

  it('is held against the world of a correct server after the same steps, where that is not what the step expects', () => {
    const failedWith = (found: unknown): Played => ({
      ...played('groups.add-users', 200, 'failed'),
      differences: [{ of: 'world', pointer: '/groups/team', expected: ['alice'], found, says: 'differs' }],
    });
    expect(compare('a.yaml', failedWith(['bob']), failedWith(['bob']))?.deviation).to.equal(undefined);
    expect(compare('a.yaml', failedWith(['carol']), failedWith(['bob']))?.deviation).to.equal('effect');
  });

  it('does not differ if it is refused with another status in a world that is the same on a correct server', () => {
    const refusedIn = (status: number, found: string): Played => {
      const one = played('spaces.replace-in-page', status, 'failed');
      const world = { of: 'world', pointer: '/pages/1/body', expected: 'new', found, says: 'differs' } as const;
      return { ...one, differences: [...one.differences, world] };
    };
    const right: Played = { ...refusedIn(404, 'old'), differences: refusedIn(404, 'old').differences.slice(1) };
    expect(compare('a.yaml', refusedIn(422, 'old'), right)?.deviation).to.equal(undefined);
    expect(compare('a.yaml', refusedIn(422, 'other'), right)?.deviation).to.equal('refused otherwise');
  });

  it('does not differ if only the body of a refusal does', () => {
    expect(deviation('ppf.push', 400, 400, 'body')).to.equal(undefined);
  });

  it('differs if a request is refused that should be served, unless the step also accepts a refusal', () => {
    const served = (status: unknown) => ({
      ...played('groups.add-users', 200, 'passed'),
      step: { say: '', expect: { status } },
    });
    const refused = (status: unknown) => ({
      ...played('groups.add-users', 422, 'failed'),
      step: { say: '', call: 'groups.add-users' as const, expect: { status } },
    });
    const found = (status: unknown) => compare('a.yaml', refused(status), served(status))?.deviation;
    expect(found('2XX')).to.equal('refused');
    expect(found({ $match: '^(2..|409)$' })).to.equal(undefined);
    const tolerated = { $match: '^(2..|409)$' };
    expect(compare('a.yaml', refused(tolerated), served(tolerated))?.tolerated).to.equal('refused');
  });
});

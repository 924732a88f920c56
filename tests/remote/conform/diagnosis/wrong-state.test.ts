// What is wrong in the state that a step sees: values that are there and should not be, and those that should and are not.
import { expect } from 'chai';
import { wrongIn } from '../../../../server/remote/conform/diagnosis/wrong-state.js';
import type { Played } from '../../../../server/scenario/play/player.js';

function seeing(state: Readonly<Record<string, unknown>>, ...pointers: readonly string[]): Played {
  return {
    index: 0,
    line: 1,
    step: { say: 'it is there' },
    outcome: pointers.length === 0 ? 'passed' : 'failed',
    differences: pointers.map(pointer => ({ of: 'world', pointer, expected: 1, found: 2, says: 'differs' })),
    unchecked: [],
    duration: 1,
    seen: new Map(Object.entries(state).map(([place, value]) => [place, { value }])),
  };
}

describe('the wrong part of a state', () => {
  it('is each value that only one of the two has', () => {
    const here = seeing({ 'groups/team': ['alice', 'bob'] }, '/groups/team/1');
    expect([...wrongIn(here, seeing({ 'groups/team': ['carol', 'alice'] }))]).to.deep.equal([
      '/groups/team "bob"',
      '/groups/team "carol"',
    ]);
  });

  it('is only where the step expects something else', () => {
    const here = seeing({ 'pages/1': { title: 'A', view: { users: ['bob'] } } }, '/pages/1/view/users');
    const right = seeing({ 'pages/1': { title: 'B', view: { users: [] } } });
    expect([...wrongIn(here, right)]).to.deep.equal(['/pages/1/view/users "bob"']);
  });

  it('is nothing where the step expects what it sees', () => {
    expect(wrongIn(seeing({ 'groups/team': ['alice'] }), undefined).size).to.equal(0);
  });
});

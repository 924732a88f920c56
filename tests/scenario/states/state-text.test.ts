// Converts text parameters of a provider state to the types the state declares.
import { expect } from 'chai';
import { paramsFromText } from '../../../server/scenario/states/state-text.js';

describe('paramsFromText', () => {
  const right: Record<string, [state: string, pairs: Array<[string, string]>, params: object]> = {
    'text that looks like something else': [
      'user exists',
      [
        ['name', '12'],
        ['displayName', 'null'],
        ['password', '{"a":1}'],
        ['token', 'true'],
      ],
      { name: '12', displayName: 'null', password: '{"a":1}', token: 'true' },
    ],
    'a flag in any case': ['user exists', [['admin', 'False']], { admin: false }],
    'an id as the text it is': ['filter exists', [['id', '10500']], { id: '10500' }],
    'a list of one': ['group exists', [['members', 'alice']], { members: ['alice'] }],
    'a list by repetition, in its order': [
      'group exists',
      [
        ['members', 'carol'],
        ['members', 'alice'],
      ],
      { members: ['carol', 'alice'] },
    ],
    'a list as JSON': ['group exists', [['members', '["carol"]']], { members: ['carol'] }],
    'a name in quotes, as JSON': ['licence is', [['licence', '"none"']], { licence: 'none' }],
    'an object as JSON': ['filter exists', [['sharedWith', '{"users":[]}']], { sharedWith: { users: [] } }],
    'what there is no parameter for': [
      'user exists',
      [
        ['nme', 'bob'],
        ['x', '1'],
        ['x', '2'],
      ],
      { nme: 'bob', x: ['1', '2'] },
    ],
    'that of a scenario': ['unlicensed', [['a', '1']], { a: '1' }],
    nothing: ['unlicensed', [], {}],
  };
  for (const [what, [state, pairs, params]] of Object.entries(right)) {
    it(`reads ${what}`, () => {
      expect(paramsFromText(state, pairs)).to.deep.equal({ params });
    });
  }

  it('treats property names of objects as ordinary names', () => {
    const read = paramsFromText('user exists', [['__proto__', 'a']]);
    expect(JSON.stringify(read)).to.equal('{"params":{"__proto__":"a"}}');
  });

  it('reports every invalid value with its place', () => {
    const read = paramsFromText('filter exists', [
      ['id', '1'],
      ['id', '2'],
      ['sharedWith', '{users: [alice]}'],
      ['name', 'fine'],
    ]);
    expect(read).to.deep.equal({
      problems: [
        { pointer: '/id', message: '/id is given 2 times in the query, but needs one value.' },
        {
          pointer: '/sharedWith',
          message: '/sharedWith is "{users: [alice]}", which is not JSON: send JSON.',
        },
      ],
    });
  });
});

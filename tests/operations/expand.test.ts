// The expand parameter: a list of names, separated by commas, with dots for nested names.
import { expect } from 'chai';
import { parseExpand } from '../../server/operations/expand.js';
import { ask } from '../support/worlds/ask.js';

describe('expand', () => {
  const cases: [what: string, values: string[], asked: string[][]][] = [
    ['one name', ['space'], [['space']]],
    ['the makers’ examples', ['space,attachments', 'body.view'], [['space'], ['attachments'], ['body', 'view']]],
    ['several levels', ['a.b.c.d'], [['a', 'b', 'c', 'd']]],
    ['blanks around names', [' space , body.view '], [['space'], ['body', 'view']]],
    ['names that are empty', [',,space,', ''], [['space']]],
    ['a name asked for twice', ['space,space', 'space'], [['space']]],
    ['an entity and what is inside it', ['body,body.view'], [['body'], ['body', 'view']]],
    ['nothing', [], []],
    ['only commas and blanks', [' , ,'], []],
    ['another case is another name', ['Space,space'], [['Space'], ['space']]],
    ['odd names', ['__proto__,constructor.name'], [['__proto__'], ['constructor', 'name']]],
  ];
  it('expand.list: is read as names and nested names, each once', () => {
    for (const [what, values, asked] of cases) expect(parseExpand(values), what).to.deep.equal(asked);
  });

  const query = { spaceKey: 'x', spaceName: 'x' };
  const rulesFor = (expand: string) => ask('spaces.is-unique', { query: { ...query, expand } }).rules;

  it('expand.list: applies if there is a name, and not otherwise', () => {
    expect(rulesFor('space')).to.include('expand.list').and.not.include('expand.nested');
    expect(rulesFor('space,body.view')).to.include.members(['expand.list', 'expand.nested']);
    for (const nothing of ['', ' ', ',']) expect(rulesFor(nothing)).not.to.include('expand.list');
    expect(ask('spaces.is-unique', { query }).rules).not.to.include('expand.list');
    expect(ask('spaces.is-unique', { query: { ...query, expand: ',' } }).gaps).not.to.have.property('expand-unknown');
  });

  it('expand.list: counts every value of a repeated parameter, and none of another case', () => {
    const asked = ask('spaces.is-unique', { query: 'spaceKey=x&spaceName=x&expand=a&expand=b%2Cc.d&Expand=e' });
    expect(asked.expand).to.deep.equal(['a', 'b', 'c.d']);
  });
});

// What responses show of the readings of a server: hidden ones are never excluded, whatever is sent. tests/proof has two hundred servers.
import { expect } from 'chai';
import { agreeingReadings } from '../../../harness/proxy/agreeing-readings.js';
import { Narrowing, narrowedText } from '../../../harness/proxy/narrowing.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { gapIds } from '../../../server/operations/gaps/gaps.js';
import { expectNeverWrong } from '../../support/other-servers/hidden-readings.js';
import { requestTo } from '../../support/worlds/ask.js';

describe('the readings that agree with traffic', () => {
  it('always include those of the server, whatever it follows and whatever is sent', () => {
    expect(expectNeverWrong(6)).to.be.at.least(1);
  });

  it('exclude what each response excludes, and nothing that other servers may have answered', () => {
    const canonical = { 'wiki-prefix': ['any', 'rest'] }; // it was served there
    const [operation] = operations;
    if (operation === undefined) throw new Error('there are no operations');
    const request = requestTo(operation, { json: { group: 'any', users: ['x'] } });
    expect(agreeingReadings(request, { status: 204 })).to.deep.equal({ ...canonical, 'wiki-success': ['no-content'] });
    expect(agreeingReadings(request, { status: 409, text: '{"messages":["x"]}' })).to.deep.equal({
      ...canonical,
      'no-change': ['409'],
      'wiki-error-body': ['messages'],
    });
    const unknown = requestTo(operation, { json: { group: 'any', users: ['x'], more: 1 } });
    expect(agreeingReadings(unknown, { status: 200, text: '{}' })).to.deep.equal({
      ...canonical,
      'wiki-success': ['object'],
      'unknown-field': ['ignore'],
    });
    expect(agreeingReadings(request, { status: 200, text: '<html>' })).to.equal(undefined);
    expect(agreeingReadings(request, { status: 502, text: '<html>' })).to.deep.equal({});
    expect(agreeingReadings(request, { status: 401, text: '' })).to.not.have.property('wiki-error-body');
  });

  it('agree with further fields of a documented body, but with no other body of a reading', () => {
    const push = operations.find(({ id }) => id === 'ppf.push');
    const [add] = operations;
    if (push === undefined || add === undefined) throw new Error('there are no operations');
    const more = '{"success":true,"messages":[],"timestamp":1}';
    const pushing = requestTo(push, { json: { users: ['alice'], filters: [10500] } });
    expect(agreeingReadings(pushing, { status: 200, text: more })).to.not.equal(undefined);
    const adding = requestTo(add, { json: { group: 'any', users: ['x'] } });
    expect(agreeingReadings(adding, { status: 200, text: more })).to.equal(undefined);
  });

  it('are written as readings for serve', () => {
    const narrowing = new Narrowing();
    narrowing.take({ 'unknown-user': ['400', 'skip'], 'wiki-success': ['empty'], 'no-change': ['409'] });
    narrowing.take({ 'unknown-user': ['400'], 'no-change': ['ok'], 'view-post': ['add', 'remove'] });
    expect(narrowedText(narrowing.narrowed, 'http://wiki.test').split('\n')).to.have.members([
      `# Readings inferred from the responses of http://wiki.test, for 2 of ${gapIds.length} gaps.`,
      '# view-post: add or remove (1 response)',
      'wiki-success: empty # 1 response',
      'unknown-user: "400" # 2 responses',
      '# no-change: no reading agrees with all of 2 responses',
      '',
    ]);
  });
});

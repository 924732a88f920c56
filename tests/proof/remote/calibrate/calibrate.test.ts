// Calibrating a fake finds the readings it follows: every one that shows there, and no other.
import { expect } from 'chai';
import { gapIds, readingNames } from '../../../../server/operations/gaps/gaps.js';
import { answersOf, calibrating, type Fakes, fakes } from '../../../support/other-servers/calibrating.js';
import { expectAnyFound, expectFound } from '../../../support/other-servers/sight.js';

describe('calibrating', function () {
  this.timeout(60_000);
  let all: Fakes;
  before(async () => {
    all = await fakes();
  });
  after(() => all.assembled.end());

  it('finds the default of every gap, as far as it shows', () =>
    expectFound(all, { some: {}, base: '', half: 'both', hasGuide: false }));

  for (const gap of gapIds) {
    for (const reading of [...readingNames(gap).slice(1), ...(gap === 'context-path' ? ['/wiki'] : [])]) {
      it(`finds ${gap}=${reading}, as far as it shows, and the default of all others`, () =>
        expectFound(all, { some: { [gap]: reading }, base: '', half: 'both', hasGuide: false }));
    }
  }

  for (const reading of ['first', '409'] as const) {
    it(`finds page-title-shared=${reading} if two pages of the template may get one title`, () => {
      const some = { 'page-title-shared': reading, 'replace-title-clash': 'allow' } as const;
      return expectFound(all, { some, base: '', half: 'both', hasGuide: true });
    });
  }

  // tests/proof/calibrate sends many more
  it('finds the readings of some fakes', () => expectAnyFound(all, 12));

  it('gives the same result when it is repeated on the same server', async () => {
    const send = await all.fresh({ 'no-change': '409', 'ppf-no-change': 'message', 'sidebar-duplicate': '409' });
    const first = await calibrating(send, '', 'FIRST1');
    expect(answersOf(await calibrating(send, '', 'SECOND2'))).to.deep.equal(answersOf(first));
    expect(first.readings).to.include({ 'ppf-effect': 'push-adds', 'sidebar-duplicate': '409' });
  });

  it('reports each finding as it is made, with the responses that support it', async () => {
    const calibration = await calibrating(await all.fresh({}));
    const user = calibration.findings.find(({ gap }) => gap === 'unknown-user');
    const observations = user?.observations.map(({ played, ...observation }) => {
      expect([played?.step.say, played?.received?.status, played?.outcome]).to.deep.equal([
        observation.say,
        observation.status,
        'passed',
      ]);
      expect(`${played?.sent?.method} ${played?.sent?.path}`).to.equal(observation.asked);
      return observation;
    });
    expect({ ...user, observations }).to.deep.equal({
      gap: 'unknown-user',
      reading: '404',
      observations: [
        {
          say: 'A user who does not exist is added to it',
          asked: 'POST /rest/cwxapiextension/latest/groups/add-users',
          status: 404,
          fits: ['404'],
        },
      ],
    });
  });
});

describe('the readings that cannot be seen', () => {
  it('each have a reason', async () => {
    const all = await fakes();
    const { findings } = await calibrating(await all.fresh({ 'view-post': 'add' }));
    all.assembled.end();
    expect(
      Object.fromEntries(
        findings.flatMap(finding => ('undetermined' in finding ? [[finding.gap, finding.undetermined]] : [])),
      ),
    ).to.deep.equal({
      'view-post': 'between add and remove: it would take no-change=409 to tell',
      'sidebar-duplicate': 'between append and replace: no documented operation tells them apart',
      'wiki-check-order': 'it would take wiki-auth=authenticated or wiki-auth=admin to tell',
      'page-title-shared': '"It has a second page, Template Guide" does not hold: status is 404, not one of 2XX',
      'copied-content': 'it would take sidebar-duplicate=409 to tell',
      'page-id-format': 'it would take unknown-page=400 to tell',
      'replace-target': 'it would take replace-not-found=404 to tell',
      'default-space-admin': 'no documented operation shows it',
      'copied-metadata-when-not-kept': 'no documented operation shows it',
      'replace-title-clash': '"It has a second page, Template Guide" does not hold: status is 404, not one of 2XX',
      'ppf-effect': 'it would take ppf-no-change=message to tell',
      'ppf-partial': 'it would take ppf-no-change=message with ppf-effect=push-adds to tell',
    });
  });
});

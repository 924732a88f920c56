// Calibrating a fake finds its readings: all that are visible, and no other. CALIBRATE_RUNS sets how many random ones are tried.
import { expect } from 'chai';
import { operations } from '../../../../server/operations/catalog/catalog.js';
import { gapIds, readingNames, type SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { profileNames, profileReadings } from '../../../../server/operations/gaps/profiles.js';
import { calibrating, fresh, responsesOf } from '../../../support/other-servers/calibrating.js';
import { expectNothingFalse } from '../../../support/other-servers/refusing.js';
import { expectAnyFound, expectFound } from './visible-readings.js';

const RUNS = Number(process.env.CALIBRATE_RUNS ?? 80);

describe('calibrating', () => {
  for (const profile of profileNames) {
    it(`finds the reading of every visible gap of the profile ${profile}`, () =>
      expectFound({ some: profileReadings(profile), base: '', half: 'both', hasGuide: false }));
  }

  it('finds each reading once, beside others', async () => {
    const readings = gapIds.map(
      gap => [gap, [...readingNames(gap), ...(gap === 'context-path' ? ['/wiki'] : [])]] as const,
    );
    for (let i = 0; i < Math.max(...readings.map(([, names]) => names.length)); i += 1) {
      const some = Object.fromEntries(readings.map(([gap, names]) => [gap, names[i % names.length]])) as SomeReadings; // one of its readings for each gap
      await expectFound({ some, base: '', half: 'both', hasGuide: false });
    }
  });

  for (const reading of ['first', '409'] as const) {
    it(`finds page-title-shared=${reading} if two pages of the template may get one title`, () => {
      const some = { 'page-title-shared': reading, 'replace-title-clash': 'allow' } as const;
      return expectFound({ some, base: '', half: 'both', hasGuide: true });
    });
  }

  it('gives the same result when it is repeated on the same server', async () => {
    const send = fresh({ 'no-change': '409', 'ppf-no-change': 'message', 'sidebar-duplicate': '409' });
    const first = await calibrating(send, { run: 'FIRST1' });
    expect(responsesOf(await calibrating(send, { run: 'SECOND2' }))).to.deep.equal(responsesOf(first));
    expect(first.readings).to.include({ 'ppf-effect': 'push-adds', 'sidebar-duplicate': '409' });
  });

  it('gives the responses that support a finding, and a reason for each unknown gap', async () => {
    const { findings } = await calibrating(fresh({}));
    const user = findings.find(({ gap }) => gap === 'unknown-user');
    expect(user).to.deep.include({ reading: '404' });
    const [{ response: _, ...observation } = { response: '' }] = user?.observations ?? [];
    expect(observation).to.deep.equal({
      say: 'Carol and a user who does not exist are added to it',
      asked: 'POST /rest/cwxapiextension/latest/groups/add-users',
      status: 404,
      fits: ['404'],
      fitsLoosely: ['404', '400'],
      isRead: true,
    });
    const reasons = findings.flatMap(one => ('undetermined' in one ? [[one.gap, one.undetermined] as const] : []));
    expect(Object.fromEntries(reasons)).to.deep.include({
      'wiki-check-order': 'the probe needs wiki-auth=authenticated or wiki-auth=admin or wiki-auth=permitted',
      'sidebar-duplicate': 'between append and replace: no documented operation tells them apart',
      'default-space-admin': 'no probe reveals it',
      'replace-title-clash': '"The template has a second page, Template Guide" failed: status is 404, not one of 2XX',
    });
  });

  for (const operation of operations)
    it(`gives no gap a reading that the server does not follow where ${operation.id} always refuses`, () =>
      expectNothingFalse(operation));

  it('finds the readings of any fake, whole or one half of it, with a context path or without', () =>
    expectAnyFound(RUNS)).timeout(60_000 + RUNS * 1000);
});

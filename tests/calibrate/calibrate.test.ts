// Calibrating a fake gives back the readings that it follows: every one that can be seen there, and never another. The table below
// says which cannot be seen under which other readings, so that a gap that could be known and is not fails here.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  defaultReadings,
  type GapId,
  gapIds,
  gapSpec,
  layReadings,
  type Readings,
  readingNames,
  type SomeReadings,
} from '../../server/operations/gaps.js';
import type { Family } from '../../server/operations/operation.js';
import { type Answering, answersOf, calibrating, type Fakes, fakes, probes } from '../support/calibrating.js';

/** What of the two APIs a server has. */
type Half = Family | 'both';

interface Sight {
  readonly readings: Readings;
  readonly half: Half;
  /** Whether the template has a second page. */
  readonly hasGuide: boolean;
}

const twoOf = (half: Half) => half === 'both';

/** Where it takes something for a gap to be seen: what is left of its readings without. The gaps that are not here are always seen. */
const masked: { readonly [G in GapId]?: (sight: Sight) => readonly string[] } = {
  'view-post': ({ readings }) =>
    readings['view-post'] === 'reject' || readings['no-change'] === '409' ? [readings['view-post']] : ['add', 'remove'],
  'unknown-group': ({ readings, half }) => {
    const reading = readings['unknown-group'];
    const isSettled = reading === '404' || reading === '400';
    const isShown = twoOf(half) || readings['no-change'] === '409' || readings['set-users-empty'] === '400';
    return isSettled || isShown ? [reading] : ['skip', 'create'];
  },
  'sidebar-duplicate': ({ readings }) => (readings['sidebar-duplicate'] === '409' ? ['409'] : ['append', 'replace']),
  'replace-title-clash': ({ readings, hasGuide }) =>
    hasGuide ? [readings['replace-title-clash']] : readingNames('replace-title-clash'),
  'default-space-admin': () => readingNames('default-space-admin'),
  'copied-metadata-when-not-kept': () => readingNames('copied-metadata-when-not-kept'),
  'ppf-effect': ({ readings }) =>
    readings['ppf-no-change'] === 'message' ? [readings['ppf-effect']] : readingNames('ppf-effect'),
  'ppf-partial': ({ readings }) =>
    readings['ppf-no-change'] === 'message' && readings['ppf-effect'] === 'push-adds'
      ? [readings['ppf-partial']]
      : readingNames('ppf-partial'),
};

/** The gaps that operations of either family show. */
const shared: readonly GapId[] = ['context-path', 'bad-credentials', 'content-type'];

/** What is to be found out of a gap. */
function expected(gap: GapId, sight: Sight, context: string): string | readonly string[] {
  const all = [...readingNames(gap), ...(gap === 'context-path' && context !== '' ? [context] : [])];
  const family: Family = gap.startsWith('ppf-') ? 'ppf' : 'wiki';
  const isThere = sight.half === 'both' || sight.half === family || shared.includes(gap);
  const left = isThere ? (masked[gap]?.(sight) ?? [sight.readings[gap]]) : all;
  return left.length === 1 && left[0] !== undefined ? left[0] : left;
}

/** The half of a server, as it is met: what is not there is 404. */
function halved(send: Answering, half: Half): Answering {
  const gone = { status: 404, headers: {}, text: '' };
  const isThere = (path: string) => half === 'both' || path.includes('/cwx-ppf/') === (half === 'ppf');
  return async request => (isThere(request.path) ? send(request) : gone);
}

const anyReadings: fc.Arbitrary<SomeReadings> = fc.record(
  Object.fromEntries(
    gapIds.map(gap => [
      gap,
      gapSpec(gap).open === undefined
        ? fc.constantFrom(...readingNames(gap))
        : fc.oneof(fc.constantFrom(...readingNames(gap)), fc.constantFrom('/wiki', '/a.b-c_1')),
    ]),
  ),
) as fc.Arbitrary<SomeReadings>; // one of its readings for each gap

const guide = probes.find(({ gap }) => gap === 'replace-title-clash');
const runs = Number(process.env.CALIBRATE_RUNS ?? 120);

describe('calibrating', function () {
  this.timeout(60_000 + runs * 1000);
  let all: Fakes;
  before(async () => {
    all = await fakes();
  });
  after(() => all.assembled.end());

  async function check(some: SomeReadings, base: string, half: Half, hasGuide: boolean): Promise<void> {
    const readings = layReadings(defaultReadings, some);
    const path = readings['context-path'];
    const context = path.startsWith('/') ? path : path === 'any' ? base : '';
    const send = halved(await all.fresh(some, hasGuide ? guide : undefined), half);
    const calibration = await calibrating(send, context);
    expect(answersOf(calibration)).to.deep.equal(
      Object.fromEntries(gapIds.map(gap => [gap, expected(gap, { readings, half, hasGuide }, context)])),
    );
    for (const [gap, reading] of Object.entries(calibration.readings)) expect(reading).to.equal(readings[gap as GapId]);
    expect(calibration.findings.map(({ gap }) => gap)).to.deep.equal(gapIds);
  }

  for (const gap of gapIds) {
    for (const reading of [...readingNames(gap), ...(gap === 'context-path' ? ['/wiki'] : [])]) {
      it(`finds out that a fake follows ${gap}=${reading}, as far as that shows, and the default of all others`, () =>
        check({ [gap]: reading }, '', 'both', false));
    }
  }

  it('gives back the readings of any fake, whatever it follows: whole or one half of it, with a context path or without', () =>
    fc.assert(
      fc.asyncProperty(
        anyReadings,
        fc.constantFrom('', '/wiki', '/issues'),
        fc.constantFrom<Half>('both', 'both', 'wiki', 'ppf'),
        fc.boolean(),
        check,
      ),
      { numRuns: runs },
    ));

  it('gives the same when it is done again on the same server', async () => {
    const send = await all.fresh({ 'no-change': '409', 'ppf-no-change': 'message', 'sidebar-duplicate': '409' });
    const first = await calibrating(send, '', 'FIRST1');
    expect(answersOf(await calibrating(send, '', 'SECOND2'))).to.deep.equal(answersOf(first));
    expect(first.readings).to.include({ 'ppf-effect': 'push-adds', 'sidebar-duplicate': '409' });
  });

  it('tells of each finding when it is there, with the answers that it stands on', async () => {
    const calibration = await calibrating(await all.fresh({}));
    const user = calibration.findings.find(({ gap }) => gap === 'unknown-user');
    expect(user).to.deep.equal({
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
  it('are each told with the reason', async () => {
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
      'default-space-admin': 'no documented operation shows it',
      'copied-metadata-when-not-kept': 'no documented operation shows it',
      'replace-title-clash': '"It has a second page, Template Guide" does not hold: status is 404, not one of 2XX',
      'ppf-effect': 'it would take ppf-no-change=message to tell',
      'ppf-partial': 'it would take ppf-no-change=message with ppf-effect=push-adds to tell',
    });
  });
});

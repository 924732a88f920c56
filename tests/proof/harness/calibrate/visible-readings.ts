// The readings that a calibration can find on a fake, by its other readings: a gap that is visible and not found fails, as does a wrong reading.
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
} from '../../../../server/operations/gaps/gaps.js';
import type { Family } from '../../../../server/operations/operation.js';
import {
  calibrating,
  fresh,
  probes,
  type Responding,
  responsesOf,
} from '../../../support/other-servers/calibrating.js';

/** The APIs of a server. */
export type Half = Family | 'both';

interface Shown {
  readonly readings: Readings;
  readonly half: Half;
  /** Whether the template has a second page. */
  readonly hasGuide: boolean;
}

/** The candidates that are left where a gap cannot be seen. Gaps that are not here are always seen. */
const masked: { readonly [G in GapId]?: (shown: Shown) => readonly string[] } = {
  'null-field': seenIf('null-field', ({ readings, half }) => half !== 'wiki' || readings['missing-list'] === 'empty'),
  'copied-content': seenIf(
    'copied-content',
    ({ readings }) =>
      readings['sidebar-duplicate'] === '409' &&
      (readings['admin-eligibility'] === 'any-user' || readings['target-title-taken'] === '409'),
  ),
  'space-key-format': seenIf(
    'space-key-format',
    ({ readings }) => readings['unknown-user'] === '404' || readings['target-title-taken'] === '409',
  ),
  'missing-parameter': ({ readings }) => {
    const isSeen = readings['unknown-space'] === '404' && readings['target-space-exists'] === '409';
    const reading = readings['missing-parameter'];
    return isSeen || reading === 'empty' ? [reading] : ['400', 'copy-options'];
  },
  'auth-scheme': seenIf('auth-scheme', ({ readings, half }) => {
    const anonymous = readings['wiki-auth'] === 'open' ? undefined : readings['wiki-anonymous'];
    const isSeen = {
      wiki: anonymous !== readings['bad-credentials'],
      ppf: readings['ppf-anonymous'] !== readings['bad-credentials'],
    };
    if (readings['bad-credentials'] === 'anonymous') return false;
    return (half !== 'ppf' && isSeen.wiki) || (half !== 'wiki' && isSeen.ppf);
  }),
  'bad-credentials': ({ readings, half }) => {
    const wiki = readings['wiki-auth'] === 'open' ? '200' : readings['wiki-anonymous'];
    const responses = [...(half === 'ppf' ? [] : [wiki]), ...(half === 'wiki' ? [] : [readings['ppf-anonymous']])];
    const own = readings['bad-credentials'];
    const responsesOf = (reading: string) =>
      responses.map(anonymous => (reading === 'anonymous' ? anonymous : reading));
    return readingNames('bad-credentials').filter(one => `${responsesOf(one)}` === `${responsesOf(own)}`);
  },
  'replace-target': seenIf(
    'replace-target', // the page of a copy is read where it is the only one
    ({ readings, hasGuide }) => readings['replace-not-found'] === '404' || !hasGuide,
  ),
  'page-id-format': seenIf('page-id-format', ({ readings }) => readings['unknown-page'] !== '404'),
  'replace-permission': ({ readings }) => {
    const own = readings['replace-permission'];
    return readings['unknown-page'] === '403' && own !== 'ignored' ? ['enforced', '403'] : [own];
  },
  'wiki-anonymous': seenIf('wiki-anonymous', ({ readings }) => readings['wiki-auth'] !== 'open'),
  'wiki-licence': seenIf('wiki-licence', () => false),
  'wiki-check-order': seenIf('wiki-check-order', ({ readings }) => readings['wiki-auth'] !== 'open'),
  'page-title-shared': seenIf(
    'page-title-shared',
    ({ readings, hasGuide }) => hasGuide && readings['replace-title-clash'] === 'allow',
  ),
  'error-text': seenIf('error-text', ({ readings, half }) => {
    const isSilent = { wiki: readings['wiki-error-body'] === 'empty', ppf: readings['ppf-error-body'] === 'empty' };
    return !(half === 'both' ? isSilent.wiki && isSilent.ppf : isSilent[half]);
  }),
  'sidebar-duplicate': ({ readings }) => (readings['sidebar-duplicate'] === '409' ? ['409'] : ['append', 'replace']),
  'replace-title-clash': seenIf('replace-title-clash', ({ hasGuide }) => hasGuide),
  'page-title-case': seenIf(
    'page-title-case',
    ({ readings, hasGuide }) => hasGuide && readings['replace-title-clash'] !== 'allow',
  ),
  'default-space-admin': seenIf('default-space-admin', () => false),
  'copied-metadata-when-not-kept': seenIf('copied-metadata-when-not-kept', () => false),
  'ppf-partial': seenIf('ppf-partial', ({ readings }) => readings['ppf-effect'] === 'push-adds'),
};

function seenIf(gap: GapId, isSeen: (shown: Shown) => boolean): (shown: Shown) => readonly string[] {
  return shown => (isSeen(shown) ? [shown.readings[gap]] : readingNames(gap));
}

/** The gaps that operations of either family show. */
const shared: readonly GapId[] = [
  'bad-credentials',
  'browser-post',
  'content-type',
  'null-field',
  'error-text',
  'auth-scheme',
];
/** Those about both that only push and pull show. */
const shownByPpf: readonly GapId[] = ['trailing-slash', 'version-segment', 'field-type'];

/** The expected result for a gap. */
function expected(gap: GapId, shown: Shown, context: string): string | readonly string[] {
  const all = [...readingNames(gap), ...(gap === 'context-path' && context !== '' ? [context] : [])];
  const family: Family = gap.startsWith('ppf-') || shownByPpf.includes(gap) ? 'ppf' : 'wiki';
  const isThere = shown.half === 'both' || shown.half === family || shared.includes(gap);
  const left = isThere ? (masked[gap]?.(shown) ?? [shown.readings[gap]]) : all;
  return left.length === 1 && left[0] !== undefined ? left[0] : left;
}

/** The half of a server, with the REST API of its product: the rest is 404. */
function halved(send: Responding, half: Half): Responding {
  const gone = { status: 404, headers: {}, text: '' };
  const isThere = (path: string) => half === 'both' || /\/cwx-ppf\/|\/rest\/api\/2\//.test(path) === (half === 'ppf');
  return async request => (isThere(request.path) ? send(request) : gone);
}

export const anyReadings: fc.Arbitrary<SomeReadings> = fc.record(
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

/** A fake to calibrate. `base`: its context path, if it may have any. */
export interface Followed {
  readonly some: SomeReadings;
  readonly base: string;
  readonly half: Half;
  readonly hasGuide: boolean;
}

export async function expectFound(followed: Followed): Promise<void> {
  const { base, half, hasGuide } = followed;
  const path = followed.some['context-path'] ?? defaultReadings['context-path'];
  const context = path.startsWith('/') ? path : path === 'any' ? base : '';
  // A target has one context path, so that push and pull are there too.
  const some = { ...followed.some, ...(context !== '' && { 'ppf-context-path': 'any' as const }) };
  const readings = layReadings(defaultReadings, some);
  const send = halved(fresh(some, hasGuide ? guide : undefined), half);
  const calibration = await calibrating(send, { context });
  expect(responsesOf(calibration)).to.deep.equal(
    Object.fromEntries(gapIds.map(gap => [gap, expected(gap, { readings, half, hasGuide }, context)])),
  );
  expect(calibration.left).to.deep.equal([]);
  expect(calibration.findings.map(({ gap }) => gap)).to.deep.equal(gapIds);
}

/** Fakes with random readings: both APIs or one of them, with or without a context path. */
export function expectAnyFound(runs: number): Promise<void> {
  const followed = fc.record({
    some: anyReadings,
    base: fc.constantFrom('', '/wiki', '/issues'),
    half: fc.constantFrom<Half>('both', 'both', 'wiki', 'ppf'),
    hasGuide: fc.boolean(),
  });
  return fc.assert(
    fc.asyncProperty(followed, one => expectFound(one)),
    { numRuns: runs },
  );
}

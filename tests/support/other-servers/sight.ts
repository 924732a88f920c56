// Which readings calibrating can find out of a fake, by what else it follows and has: every one that can be seen there, and never another. The table
// says which cannot be seen under which other readings, so that a gap that could be known and is not fails.
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
} from '../../../server/operations/gaps/gaps.js';
import type { Family } from '../../../server/operations/operation.js';
import { type Answering, answersOf, calibrating, type Fakes, probes } from './calibrating.js';

/** What of the two APIs a server has. */
export type Half = Family | 'both';

interface Sight {
  readonly readings: Readings;
  readonly half: Half;
  /** Whether the template has a second page. */
  readonly hasGuide: boolean;
}

const twoOf = (half: Half) => half === 'both';

/** Where it takes something for a gap to be seen: what is left of its readings without. The gaps that are not here are always seen. */
const masked: { readonly [G in GapId]?: (sight: Sight) => readonly string[] } = {
  'null-field': ({ readings, half }) =>
    half !== 'wiki' || readings['missing-list'] === 'empty' ? [readings['null-field']] : readingNames('null-field'),
  'copied-content': ({ readings }) =>
    readings['sidebar-duplicate'] === '409' ? [readings['copied-content']] : readingNames('copied-content'),
  'auth-scheme': ({ readings, half }) => {
    const anonymous = readings['wiki-auth'] === 'open' ? undefined : '401';
    const isSeen = {
      wiki: anonymous !== readings['bad-credentials'],
      ppf: readings['ppf-anonymous'] !== readings['bad-credentials'],
    };
    return (half !== 'ppf' && isSeen.wiki) || (half !== 'wiki' && isSeen.ppf)
      ? [readings['auth-scheme']]
      : readingNames('auth-scheme');
  },
  'replace-target': ({ readings }) =>
    readings['replace-not-found'] === '404' ? [readings['replace-target']] : readingNames('replace-target'),
  'page-id-format': ({ readings }) =>
    readings['unknown-page'] === '400' ? [readings['page-id-format']] : readingNames('page-id-format'),
  'wiki-check-order': ({ readings }) =>
    readings['wiki-auth'] === 'open' ? readingNames('wiki-check-order') : [readings['wiki-check-order']],
  'page-title-shared': ({ readings, hasGuide }) =>
    hasGuide && readings['replace-title-clash'] === 'allow'
      ? [readings['page-title-shared']]
      : readingNames('page-title-shared'),
  'error-text': ({ readings, half }) => {
    const isSilent = { wiki: readings['wiki-error-body'] === 'empty', ppf: readings['ppf-error-body'] === 'empty' };
    const isUnseen = half === 'both' ? isSilent.wiki && isSilent.ppf : isSilent[half];
    return isUnseen ? readingNames('error-text') : [readings['error-text']];
  },
  'view-post': ({ readings }) =>
    readings['view-post'] === 'reject' || readings['no-change'] === '409' ? [readings['view-post']] : ['add', 'remove'],
  'unknown-group': ({ readings, half }) => {
    const reading = readings['unknown-group'];
    const isSettled = reading === '404' || reading === '400';
    const isShown = twoOf(half) || readings['set-users-empty'] === '400';
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
const shared: readonly GapId[] = ['bad-credentials', 'content-type', 'null-field', 'error-text', 'auth-scheme'];
/** Those that push and pull show, though they are about the wiki as well. */
const shownByPpf: readonly GapId[] = ['trailing-slash', 'version-segment'];

/** What is to be found out of a gap. */
function expected(gap: GapId, sight: Sight, context: string): string | readonly string[] {
  const all = [...readingNames(gap), ...(gap === 'context-path' && context !== '' ? [context] : [])];
  const family: Family = gap.startsWith('ppf-') || shownByPpf.includes(gap) ? 'ppf' : 'wiki';
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

/** A fake to calibrate: its readings, the context path at which it is asked, and what it has. */
export interface Followed {
  readonly some: SomeReadings;
  readonly base: string;
  readonly half: Half;
  readonly hasGuide: boolean;
}

export async function expectFound(all: Fakes, { some, base, half, hasGuide }: Followed): Promise<void> {
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

/** Any fake, whatever it follows: whole or one half of it, with a context path or without. */
export function expectAnyFound(all: Fakes, runs: number): Promise<void> {
  const followed = fc.record({
    some: anyReadings,
    base: fc.constantFrom('', '/wiki', '/issues'),
    half: fc.constantFrom<Half>('both', 'both', 'wiki', 'ppf'),
    hasGuide: fc.boolean(),
  });
  return fc.assert(
    fc.asyncProperty(followed, one => expectFound(all, one)),
    { numRuns: runs },
  );
}

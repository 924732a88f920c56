// The property of the named gaps: they are those of which some other single reading changes the response or the world.

import { expect } from 'chai';
import fc from 'fast-check';
import { gapsOf } from '../../../server/derive/reach.js';
import { evolveAll } from '../../../server/domain/facts.js';
import { formOf } from '../../../server/domain/form/form.js';
import type { World } from '../../../server/domain/world/world.js';
import type { Request } from '../../../server/engine/request/request.js';
import type { Result } from '../../../server/engine/request/result.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import {
  type GapId,
  gapIds,
  layReadings,
  type Readings,
  readingNames,
  type SomeReadings,
} from '../../../server/operations/gaps/gaps.js';
import { profileNames, profileReadings } from '../../../server/operations/gaps/profiles.js';
import { isAddressGap, isShownGap } from '../../../server/operations/provenance.js';
import { reading, requests } from '../../model/requests.js';
import { teamWith } from '../../support/worlds/judge.js';
import { routedRequest } from '../codec/walk.js';

const now = '2026-01-05T09:00:00Z';

/** A world in which most gaps can decide. */
const team = (licence: 'valid' | 'expired') =>
  teamWith({
    users: { abe: { admin: true } },
    spaces: { ds: { name: 'Demonstration Space', sidebar: ['a', 'b'].map(url => ({ label: 'Home', url })) } },
    pages: {
      '65602': { space: 'ds', title: 'Welcome', body: 'wiki' },
      '65603': { space: 'ds', title: 'Home', edit: { users: ['carol'] }, view: { groups: ['team-members'] } },
    },
    favourites: { demouser1: { filters: [10500], dashboards: [11000] } },
    licence: { ppf: licence },
  });

/** Two empty lists, which random requests seldom have together. */
const forNobody = {
  method: 'DELETE',
  url: '/rest/cwxapiextension/latest/permissions/all/65603',
  body: { kind: 'json', value: { users: [], groups: [] }, text: '{"users":[],"groups":[]}' },
} as const;

interface Question {
  readonly request: Request;
  readonly on: World;
  readonly readings: Readings;
}
const questions: fc.Arbitrary<Question> = fc
  .record({
    sent: requests,
    isSuspect: fc.nat(20).map(chance => chance === 0),
    isForNobody: fc.nat(60).map(chance => chance === 0),
    on: fc.constantFrom(team('valid'), team('valid'), team('valid'), team('expired')),
    profile: fc.constantFrom(...profileNames),
    chosen: fc.array(reading, { maxLength: 6 }),
  })
  .map(({ sent: { readings: _, ...sent }, isSuspect, isForNobody, on, profile, chosen }) => ({
    request: { ...routedRequest({ ...sent, ...(isForNobody && forNobody) }), ...(isSuspect && { isSuspect }) },
    on,
    readings: layReadings(profileReadings(profile), ...(chosen as SomeReadings[])),
  }));

export function testDecidingGaps(runs: number): void {
  it(`of ${runs} random requests, exactly the gaps that change the response or the world are named`, function () {
    this.timeout(0);
    const seen = new Set<GapId>();
    fc.assert(
      fc.property(questions, question => {
        const { request, on, readings } = question;
        const result = runStages(request, { world: on, readings, now });
        const named = Object.keys(result.gaps).filter(gap => isShownGap(gap, result.refused)) as GapId[];
        // Every wiki request meets the gaps of addresses, so that they are named only if they refuse it.
        const operation = operationOf(result.operation ?? '');
        const asked = operation === undefined ? gapIds : gapsOf(operation); // that it asks no others is tested in stages.test.ts
        const decide = asked.filter(gap => !isAddressGap(gap) && isDeciding(gap, question, result));
        for (const gap of decide) seen.add(gap);
        const response = JSON.stringify(result.response);
        expect(
          named.filter(gap => !isAddressGap(gap)),
          response,
        ).to.have.members(decide);
        for (const gap of named) expect(result.gaps[gap], response).to.equal(readings[gap]);
      }),
      { numRuns: runs, seed: 38 },
    );
    const unseen = gapIds.filter(gap => !isAddressGap(gap) && !seen.has(gap));
    if (runs >= 6_000) expect(unseen, 'gaps that decided about no request').to.deep.equal([]);
  });
}

function isDeciding(gap: GapId, { request, on, readings }: Question, result: Result): boolean {
  return readingNames(gap).some(name => {
    if (name === readings[gap]) return false;
    const other = runStages(request, {
      world: on,
      readings: layReadings(readings, { [gap]: name } as SomeReadings),
      now,
    });
    return JSON.stringify(other.response) !== JSON.stringify(result.response) || !isSameWorld(on, result, other);
  });
}

function isSameWorld(on: World, some: Result, other: Result): boolean {
  const written = ({ facts }: Result) => JSON.stringify(formOf(evolveAll(on, facts)));
  return JSON.stringify(some.facts) === JSON.stringify(other.facts) || written(some) === written(other);
}

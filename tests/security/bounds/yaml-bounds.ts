// YAML made to be expensive: each ends in a problem with its place, after work limited by the length of the text.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadMap } from '../../../server/scenario/load/map-file.js';
import { loadReadings } from '../../../server/scenario/load/readings-file.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type Written, written } from '../../support/files/files.js';
import { smallTeam } from '../../support/worlds/ask.js';

export const MIB = 2 ** 20;
export const many = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));

export type Costly = readonly [what: string, text: string, problem: string];

const places = ['fixtures/mine.yaml', 'scenarios/mine.yaml', 'readings.yaml', 'map.yaml'];

/** The first problem of a text in one of the inputs for YAML, as text. */
export function firstProblem(files: Written, place: string, text: string): string {
  const file = join(files.root, place);
  writeFileSync(file, text);
  const loaded =
    place === 'readings.yaml'
      ? loadReadings(file)
      : place === 'map.yaml'
        ? loadMap(file, smallTeam)
        : { problems: files.problems(place) };
  const [first] = isProblems(loaded) ? loaded.problems : [];
  return first === undefined ? 'no problems' : `${first.line}:${first.column}: ${first.message}`;
}

/** A test for each, in one input after the other. */
export function testCosts(costly: readonly Costly[]): void {
  let files: Written;
  before(() => {
    files = written({});
  });
  after(() => files.remove());

  for (const [i, [what, text, problem]] of costly.entries()) {
    const place = places[i % places.length] ?? '';
    it(`${what} in ${place} is reported at its place`, () => {
      expect(firstProblem(files, place, text)).to.equal(problem);
    });
  }
}

// A play in this process for tests: scenarios written for one test, and a stage that keeps the lines that it shows.

import type { Play } from '../../../cli/terminal/show-play.js';
import type { PlayView } from '../../../cli/terminal/views.js';
import { silentLog } from '../../../server/engine/log.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { assemble } from '../../../server/process/server.js';
import { Player } from '../../../server/scenario/play/player.js';
import { Results } from '../../../server/scenario/play/results.js';
import { readingsOf, runsOf } from '../../../server/scenario/play/runs.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';
import { written } from '../../support/files/files.js';

export interface Showing extends Play {
  /** What was shown, in order: `title`, and steps as `1 held`. */
  readonly shown: string[];
  end(): void;
}

/** Scenarios by name, each as YAML. */
export async function showing(scenarios: Readonly<Record<string, string>>): Promise<Showing> {
  const files = written(
    Object.fromEntries(Object.entries(scenarios).map(([name, text]) => [`scenarios/${name}.yaml`, text])),
  );
  const meant = Object.keys(scenarios).map(name => ({ name, loaded: files.load(name) }));
  files.remove();
  const fake = await assemble(settingsFrom('small-team', {}), silentLog);
  if (isProblems(fake)) throw new Error(JSON.stringify(fake.problems));
  const target = inProcess(fake, 'play');
  const shown: string[] = [];
  const stage: PlayView = {
    begins: ({ loaded }, { nth, of }) => [`${loaded.title} ${nth}/${of}`],
    shows: (_, { index, outcome }) => [`${index + 1} ${outcome}`],
    ends: () => ['end'],
  };
  return {
    shown,
    stage,
    print: lines => void shown.push(...lines),
    runs: runsOf(meant, true),
    playerFor: run => new Player(run.loaded, target, { readings: readingsOf(run) }),
    results: new Results(),
    end: fake.end,
  };
}

/** Steps in which a group grows by one user each, and each step sees the whole group: one played twice or left out would fail. */
export const growing = `title: Growing
fixture: small-team
steps:
  - { say: Alice, call: groups.add-users, body: { group: customers, users: [alice] }, expect: { status: 200 }, then: { groups: { customers: [alice] } } }
  - { say: Carol, call: groups.add-users, body: { group: customers, users: [carol] }, then: { groups: { customers: [alice, carol] } } }
  - { say: Admin, call: groups.add-users, body: { group: customers, users: [admin] }, then: { groups: { customers: [admin, alice, carol] } } }
`;

// One run: concurrent lanes, each with its own sandboxes and connections, from the first request to the final worlds.
// Findings are collected, not thrown.

import { Counts } from './judging/counts.js';
import { Findings } from './judging/findings.js';
import { NOW, Shadow } from './judging/judged.js';
import { Control } from './lanes/control.js';
import { Lane } from './lanes/lane.js';
import { Strays } from './lanes/strays.js';
import type { Subject } from './subject.js';

export interface Trial {
  readonly seed: number;
  /** Total number of requests. */
  readonly requests: number;
  readonly lanes: number;
  /** Only the cases with these numbers, from the first to the last. */
  readonly only?: readonly [first: number, last: number];
  /** The folder for the findings. */
  readonly keep?: string;
  /** Milliseconds after which a response, or an end, is late. Default: five seconds. */
  readonly patience?: number;
}

export interface Report {
  readonly counts: Counts;
  readonly findings: Findings;
  /** Memory of the server in bytes: before the run, at each measurement, at the end; empty if unknown. */
  readonly held: readonly number[];
}

/** The shared state of the lanes. */
export interface Shared {
  readonly trial: Trial;
  readonly port: number;
  readonly control: Control;
  readonly counts: Counts;
  readonly findings: Findings;
  /** The initial world of sandboxes. */
  readonly form: object;
  /** Requests that ended up in `default` because they lost the name of their sandbox. */
  readonly strays: Strays;
}

/** The share of the requests after which the server's code is compiled, and its memory is measured first. */
const WARM = 0.2;

/** Fuzzes a server to the end, and stops it. */
export async function tryOut(subject: Subject, trial: Trial): Promise<Report> {
  const control = new Control(subject.port);
  const counts = new Counts();
  const findings = new Findings(trial.seed, trial.keep);
  await control.renew('default', NOW);
  const form = (await control.world('default')) as object; // the JSON form of a world
  const strays = new Strays(control, new Shadow(form), findings);
  const shared = { trial, port: subject.port, control, counts, findings, form, strays };
  const lanes = Array.from({ length: trial.lanes }, (_, i) => new Lane(shared, i));
  const held: number[] = [];
  let problem: string | undefined;
  const look = async () => {
    if (subject.held !== undefined) held.push(await subject.held());
  };
  try {
    await look();
    for (const share of trial.only === undefined ? [WARM, 1] : [1]) {
      await Promise.all(lanes.map(lane => lane.go(share)));
      if (findings.areEnough) break;
      await strays.settle();
      await clearAway(control);
      strays.begin();
      await look();
    }
  } finally {
    problem = await subject.stop(); // with open kept connections, which must not prevent it
    for (const lane of lanes) lane.end();
    control.end();
  }
  if (problem !== undefined) findings.add({ kind: 'the end', problem });
  for (const bug of subject.bugs()) findings.add({ kind: 'the log', problem: bug.slice(0, 2_000) });
  return { counts, findings, held };
}

/** Drops every sandbox but `default`, which starts anew: the remaining memory is the server's own. */
async function clearAway(control: Control): Promise<void> {
  const { sandboxes } = (await control.order('GET', '/sandboxes')) as { sandboxes: Array<{ name: string }> }; // as its document says
  for (const { name } of sandboxes) if (name !== 'default') await control.order('DELETE', `/sandboxes/${name}`);
  await control.renew('default', NOW);
}

// What a run is going to change on a server, and the question of consent.

import { createInterface } from 'node:readline';
import type { ServedApis, SubjectKind } from '../target/rest-api.js';
import type { Subject } from './subjects.js';

export interface Plan {
  readonly subjects: readonly Subject[];
  /** Those whose state cannot be read. */
  readonly unreadable: readonly Subject[];
  /** Keys of the spaces that may be created. */
  readonly spaces: readonly string[];
  readonly isLossAccepted: boolean;
}

const titles: Readonly<Record<SubjectKind, string>> = {
  members: 'members of groups',
  restrictions: 'restrictions of pages',
  favourites: 'favourites of users',
};

/** At most 15 lines; empty: nothing. */
export function planLines({ subjects, unreadable, spaces, isLossAccepted }: Plan): string[] {
  const isUnreadable = (subject: Subject) => unreadable.includes(subject);
  const readable = subjects.filter(subject => !isUnreadable(subject));
  return [
    ...(readable.length === 0 ? [] : ['Changes these and restores them exactly afterwards:', ...lines(readable)]),
    ...(spaces.length === 0
      ? []
      : [
          'May create these spaces and leave them behind, because no documented operation deletes a space:',
          `  ${spaces.join(', ')}`,
        ]),
    ...(unreadable.length === 0
      ? []
      : [
          isLossAccepted
            ? 'Changes these although their state cannot be read, so it may be lost (--accept-loss):'
            : 'Does not change these, because their state cannot be read (with --accept-loss, they are changed anyway, and their state may be lost):',
          ...lines(unreadable),
        ]),
  ];
}

function lines(subjects: readonly Subject[]): string[] {
  return (['members', 'restrictions', 'favourites'] as const).flatMap(kind => {
    const names = subjects.filter(one => one.kind === kind).map(({ real }) => real);
    return names.length === 0 ? [] : [`  ${titles[kind]}: ${names.sort().join(', ')}`];
  });
}

/** Why the steps that change a subject are skipped. */
export function unreadableReason({ kind, real }: Subject, { confluence, jira }: ServedApis, problem?: string): string {
  if (problem !== undefined) return `the ${kind} of ${real} cannot be read: ${problem}`;
  if (kind === 'favourites')
    return jira
      ? `the favourites of ${real} cannot be read without that user's password`
      : "the server does not have Jira's REST API";
  if (!confluence && !(kind === 'members' && jira)) return "the server does not have Confluence's REST API";
  return `the ${kind} of ${real} cannot be read`;
}

/** Streams for the question. */
export interface Desk {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** For commands that only send what they are given. */
export const NOTHING_RESTORED = 'Nothing is restored afterwards. Run it against a test instance.';

export type Consent = 'given' | 'refused' | 'not asked';

/** Shows the plan and asks; `not asked`: no terminal and no `--yes`. */
export async function consent(plan: readonly string[], url: string, isGiven: boolean, desk: Desk): Promise<Consent> {
  const { input, output } = desk;
  const lines = plan.length === 0 ? ['  changes nothing'] : plan.map(line => `  ${line}`);
  output.write(`This run against ${url}:\n${lines.join('\n')}\n`);
  if (isGiven || plan.length === 0) return 'given';
  if (input.isTTY !== true || output.isTTY !== true) return 'not asked';
  return (await asked('Continue? [y/N] ', desk)) ? 'given' : 'refused';
}

/** End of input and Ctrl-C mean no. */
function asked(question: string, { input, output }: Desk): Promise<boolean> {
  const terminal = createInterface({ input, output });
  return new Promise(resolve => {
    terminal.once('SIGINT', () => terminal.close());
    let isAnswered = false;
    terminal.once('close', () => {
      if (!isAnswered) output.write('\n');
      resolve(false); // which counts only where there was no response
    });
    terminal.question(question, response => {
      isAnswered = true;
      resolve(/^\s*y(es)?\s*$/i.test(response));
      terminal.close();
    });
  });
}

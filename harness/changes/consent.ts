// Asks for consent before a foreign server is changed, with the list of changes.
import { createInterface } from 'node:readline';

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

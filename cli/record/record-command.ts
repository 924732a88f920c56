// `cwx-fake record`: writes the requests of a sandbox as a scenario on standard output.

import { resolve } from 'node:path';
import { NOTHING, type Recording, recordingSandbox } from '../../server/control/actions/look-back-actions.js';
import { visible } from '../../server/derive/text/visible.js';
import { FakeError, isNoSandbox } from '../../server/library/port/fake-error.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { packageVersion } from '../../server/process/package.js';
import { scenarioText } from '../../server/scenario/recording/scenario-text.js';
import { type Arguments, type Command, type ExitCode, exit, fail } from '../command/command.js';
import { atFake, fakeFlags } from '../running-fake/at-fake.js';

export const record: Command = {
  name: 'record',
  summary:
    'Write the requests of a sandbox or of a HAR file to standard output, as a scenario that reproduces the same responses.',
  usage: '',
  flags: [
    ...fakeFlags,
    {
      name: 'entries',
      value: 'a-b',
      description: 'ids of the journal entries to record; default: all',
      example: '3-7',
      check: text =>
        rangeIn(text) === undefined
          ? 'it must be a range of entry ids with the lower one first, such as 3-7, 3- or 3'
          : undefined,
    },
    {
      name: 'har',
      value: 'file',
      description: 'record a HAR file of a browser, Playwright or mitmproxy instead of a running fake',
      example: 'traffic.har',
    },
  ],
  examples: [
    ['cwx-fake record > scenarios/what-happened.yaml', 'record the sandbox default of the fake on port 8080'],
    ['cwx-fake record --url http://127.0.0.1:8080/~job-7 --entries 3-7', 'record five requests of the sandbox job-7'],
    ['cwx-fake record --har traffic.har > scenarios/seen.yaml', 'turn what a browser has saved into a scenario'],
  ],
  run,
};

/** `3-7`, `3-` or `3`; otherwise `undefined`. */
export function rangeIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, dash, to] = /^(\d{1,15})(?:(-)(\d{1,15})?)?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? Number.MAX_SAFE_INTEGER : Number(to);
  return first >= 1 && first <= last ? { from: first, to: last } : undefined;
}

async function run({ values }: Arguments, process: Process): Promise<ExitCode> {
  if (values.har !== undefined) return fromHar(String(values.har), values.entries !== undefined, process);
  const range = values.entries === undefined ? undefined : rangeIn(String(values.entries));
  try {
    return await atFake(values, async (port, sandbox) =>
      write(await port.invoke(recordingSandbox, { sandbox, query: { ...range } }), process),
    );
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    const isRefused = isNoSandbox(error) || [400, 401, 422].includes(error.status ?? 0);
    const code = error.message.startsWith(NOTHING) ? exit.empty : isRefused ? exit.usage : exit.unreachable;
    fail(code, ...error.problems.map(({ message }) => message));
  }
}

async function fromHar(file: string, hasRange: boolean, process: Process): Promise<ExitCode> {
  if (hasRange) fail(exit.usage, '--entries needs a running fake: a HAR file is recorded as a whole');
  const [{ harRecording }, { HarError }] = await Promise.all([import('./har-recording.js'), import('./har-file.js')]);
  try {
    const recorded = await harRecording(resolve(process.cwd(), file), packageVersion());
    return write({ text: scenarioText(recorded), leftOut: recorded.leftOut }, process);
  } catch (error) {
    if (!(error instanceof HarError)) throw error;
    fail(exit.usage, `${file}: ${error.message}`);
  }
}

function write({ text, leftOut }: Recording, { stdout, stderr }: Process): ExitCode {
  stdout.write(text);
  for (const { entry, asked, why } of leftOut)
    writeLine(stderr, `cwx-fake record: entry ${entry}, ${visible(asked)}, was left out. ${visible(why)}`);
  return /^steps: \[\]$/m.test(text) ? exit.empty : exit.passed;
}

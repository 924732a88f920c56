// `cwx-fake record`: writes the requests of a sandbox as a scenario on standard output.

import { sandboxError, sandboxOf } from '../../harness/target/sandbox-name.js';
import type { Recording } from '../../server/control/actions/look-back-actions.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { checkBaseUrl } from '../../server/settings/flag-checks.js';
import { clientCertificateFlags, targetToken } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit, failAs } from '../command/command.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export const record: Command = {
  name: 'record',
  summary: 'Write the requests of a sandbox as a scenario that plays to the same responses, on standard output.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: [
    {
      name: 'url',
      value: 'url',
      description: 'the running fake, or a sandbox of it',
      default: DEFAULT_URL,
      check: value => checkBaseUrl(value),
    },
    {
      name: 'sandbox',
      value: 'name',
      description: 'the sandbox; default: the one in the URL, or default',
      example: 'demo',
      check: sandboxError,
    },
    {
      name: 'entries',
      value: 'a-b',
      description: 'only these journal entries, by id; default: all',
      example: '3-7',
      check: text => (rangeIn(text) === undefined ? 'it must be a range of entry ids such as 3-7, 3- or 3' : undefined),
    },
    targetToken,
    ...clientCertificateFlags,
  ],
  examples: [
    ['cwx-fake record > scenarios/what-happened.yaml', 'the sandbox default of the fake on port 8080'],
    ['cwx-fake record --url http://127.0.0.1:8080/~job-7 --entries 3-7', 'five requests of the sandbox job-7'],
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
  const [{ recordingSandbox, NOTHING }, { FakeError, isNoSandbox }, { HttpPort }, { visible }] = await Promise.all([
    import('../../server/control/actions/look-back-actions.js'),
    import('../../server/library/port/fake-error.js'),
    import('../../server/library/port/http-port.js'),
    import('../../server/derive/text/visible.js'),
  ]);
  const url = String(values.url ?? DEFAULT_URL);
  const { entries, 'control-token': token } = values;
  const sandbox = String(values.sandbox ?? sandboxOf(url) ?? 'default');
  const range = entries === undefined ? undefined : rangeIn(String(entries));
  try {
    const port = await HttpPort.open(new URL(url).origin, token === undefined ? undefined : String(token));
    try {
      return write(
        await port.invoke(recordingSandbox, { sandbox, mustExist: true, query: { ...range } }),
        process,
        visible,
      );
    } finally {
      port.stop();
    }
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    const isRefused = isNoSandbox(error) || error.status === 400 || error.status === 422;
    const code = error.message.startsWith(NOTHING) ? exit.empty : isRefused ? exit.usage : exit.unreachable;
    return failAs(
      'record',
      process,
      code,
      error.problems.map(({ message }) => message),
    );
  }
}

function write({ text, leftOut }: Recording, { stdout, stderr }: Process, visible: (text: string) => string): ExitCode {
  stdout.write(text);
  for (const { entry, asked, why } of leftOut)
    writeLine(stderr, `cwx-fake record: entry ${entry}, ${visible(asked)}, was left out. ${visible(why)}`);
  return /^steps: \[\]$/m.test(text) ? exit.empty : exit.passed;
}

// Runs `cwx-fake record`: reads a capsule from a file or a running fake, and writes its journal as a scenario.
import { readFileSync } from 'node:fs';
import { readingCapsule } from '../../control/actions/look-back-actions.js';
import { visible } from '../../derive/text/visible.js';
import { FakeError, isNoSandbox, orUnreachable } from '../../library/fake-error.js';
import { HttpPort } from '../../library/port/http-port.js';
import { type Process, writeLine } from '../../process/command-process.js';
import { sandboxOf } from '../../remote/target/sandbox-name.js';
import { Unreachable } from '../../scenario/play/target.js';
import type { Capsule } from '../../scenario/recording/capsule-format.js';
import { readCapsule } from '../../scenario/recording/read-capsule.js';
import { type Range, recorded } from '../../scenario/recording/recorded.js';
import { Unplayable, worldOf } from '../../scenario/recording/replay.js';
import { scenarioText } from '../../scenario/recording/scenario-text.js';
import { readFailure } from '../../scenario/yaml/text.js';
import { baseUrl } from '../../settings/flag-checks.js';
import { type Arguments, type ExitCode, exit, failAs } from '../command.js';

/** Exit codes as in design 10; an empty recording is an empty run. */
export async function runRecord(
  { values }: Arguments,
  process: Process,
  range: Range = { from: 1, to: Number.MAX_SAFE_INTEGER },
): Promise<ExitCode> {
  const { from, 'control-token': token } = values;
  if (typeof from !== 'string')
    return failAs('record', process, exit.usage, [
      '--from is missing: give the file of a capsule, or the URL of a running fake',
    ]);
  try {
    const text = await textFrom(from, typeof token === 'string' ? token : undefined);
    if ('problem' in text) return failAs('record', process, text.code, [text.problem]);
    const read = readCapsule(text.text);
    if ('errors' in read)
      return failAs(
        'record',
        process,
        exit.usage,
        read.errors.map(error => `${from}: ${error}`),
      );
    return write(process, read.capsule, range);
  } catch (error) {
    if (error instanceof Unreachable) return failAs('record', process, exit.unreachable, [error.message]);
    if (error instanceof Unplayable) return failAs('record', process, exit.usage, [`${from}: ${error.message}`]);
    throw error;
  }
}

function write(process: Process, capsule: Capsule, range: Range): ExitCode {
  const world = worldOf(capsule);
  const recording = world && recorded(capsule, world, range);
  const [first, last] = [capsule.entries.at(0)?.id, capsule.entries.at(-1)?.id];
  const there = first === undefined ? 'the journal is empty' : `the journal has ${first} to ${last}`;
  if (recording === undefined) return failAs('record', process, exit.empty, [`no such entries: ${there}`]);
  process.stdout.write(scenarioText(recording));
  const { leftOut } = recording;
  for (const { entry, asked, why } of leftOut)
    writeLine(process.stderr, `cwx-fake record: entry ${entry}, ${visible(asked)}, was left out. ${visible(why)}`);
  return recording.scenario.steps?.length === 0 ? exit.empty : exit.passed;
}

type Text = { readonly text: string } | { readonly problem: string; readonly code: ExitCode };

async function textFrom(from: string, token: string | undefined): Promise<Text> {
  if (/^https?:/.test(from)) return capsuleOf(from, token);
  try {
    return { text: readFileSync(from, 'utf8') };
  } catch (error) {
    return { problem: `${from}: ${readFailure(error)}`, code: exit.usage };
  }
}

async function capsuleOf(url: string, token: string | undefined): Promise<Text> {
  const error = baseUrl(url);
  if (error !== undefined) return { problem: `--from is ${JSON.stringify(url)}: ${error}`, code: exit.usage };
  const { origin } = new URL(url);
  const sandbox = sandboxOf(url) ?? 'default';
  const port = new HttpPort(origin, token);
  try {
    return { text: JSON.stringify(await orUnreachable(port.invoke(readingCapsule, { sandbox, mustExist: true }))) };
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    const says = error.problems.map(({ message }) => message).join(' ');
    const problem = `${origin} has no capsule of the sandbox ${sandbox}: ${says}`;
    return { problem, code: isNoSandbox(error) ? exit.usage : exit.unreachable };
  } finally {
    port.stop();
  }
}

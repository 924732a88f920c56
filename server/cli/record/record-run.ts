// Runs `cwx-fake record`: reads a capsule from a file or a running fake, and writes its journal as a scenario.
import { readFileSync } from 'node:fs';
import { visible } from '../../derive/text/visible.js';
import { isObject } from '../../domain/form/patch.js';
import { type Process, writeLine, writeLines } from '../../process/command-process.js';
import { urlError } from '../../remote/target/any-server.js';
import { connection } from '../../remote/target/http-connection.js';
import { sandboxOf } from '../../remote/target/sandbox-name.js';
import { bodyOf } from '../../scenario/play/judging.js';
import { Unreachable } from '../../scenario/play/target.js';
import type { Capsule } from '../../scenario/recording/capsule-format.js';
import { readCapsule } from '../../scenario/recording/read-capsule.js';
import { type Range, recorded } from '../../scenario/recording/recorded.js';
import { Unplayable, worldOf } from '../../scenario/recording/replay.js';
import { scenarioText } from '../../scenario/recording/scenario-text.js';
import { type Arguments, type ExitCode, exit } from '../command.js';

/** Exit codes as in design 10; an empty recording is an empty run. */
export async function runRecord(
  { values }: Arguments,
  process: Process,
  range: Range = { from: 1, to: Number.MAX_SAFE_INTEGER },
): Promise<ExitCode> {
  const { from, 'control-token': token } = values;
  if (typeof from !== 'string')
    return fail(process, exit.usage, ['--from is missing: give the file of a capsule, or the URL of a running fake']);
  try {
    const text = await textFrom(from, typeof token === 'string' ? token : undefined);
    if ('problem' in text) return fail(process, text.code, [text.problem]);
    const read = readCapsule(text.text);
    if ('errors' in read)
      return fail(
        process,
        exit.usage,
        read.errors.map(error => `${from}: ${error}`),
      );
    return write(process, read.capsule, range);
  } catch (error) {
    if (error instanceof Unreachable) return fail(process, exit.unreachable, [error.message]);
    if (error instanceof Unplayable) return fail(process, exit.usage, [`${from}: ${error.message}`]);
    throw error;
  }
}

function write(process: Process, capsule: Capsule, range: Range): ExitCode {
  const world = worldOf(capsule);
  const recording = world && recorded(capsule, world, range);
  const [first, last] = [capsule.entries.at(0)?.id, capsule.entries.at(-1)?.id];
  const there = first === undefined ? 'the journal is empty' : `the journal has ${first} to ${last}`;
  if (recording === undefined) return fail(process, exit.empty, [`no such entries: ${there}`]);
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
    return { problem: `${from} is not readable: ${(error as Error).message}`, code: exit.usage };
  }
}

async function capsuleOf(url: string, token: string | undefined): Promise<Text> {
  const error = urlError(url);
  if (error !== undefined) return { problem: `--from is ${JSON.stringify(url)}: ${error}`, code: exit.usage };
  const { origin } = new URL(url);
  const sandbox = sandboxOf(url) ?? 'default';
  const wire = connection(origin);
  try {
    const path = `/_fake/v1/sandboxes/${sandbox}`;
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const described = await wire.send({ method: 'GET', path, headers }); // asking for its capsule would create it
    const answer =
      described.status === 200 ? await wire.send({ method: 'GET', path: `${path}/capsule`, headers }) : described;
    if (answer.status === 200) return { text: answer.text };
    const body = bodyOf(answer);
    const said = isObject(body) && typeof body.detail === 'string' ? body.detail : `it answers ${answer.status}`;
    const isMissing = answer.status === 404 && isObject(body) && body.title === 'No such sandbox';
    const problem = `${origin} has no capsule of the sandbox ${sandbox}: ${said}`;
    return { problem, code: isMissing ? exit.usage : exit.unreachable };
  } finally {
    wire.close();
  }
}

function fail({ stderr }: Process, code: ExitCode, lines: readonly string[]): ExitCode {
  writeLines(
    stderr,
    lines.map(line => `cwx-fake record: ${visible(line)}`),
  );
  return code;
}

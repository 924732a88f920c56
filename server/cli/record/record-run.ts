// Runs `cwx-fake record`: reads a capsule, or asks a fake that is running for one, and writes its journal as a scenario.
import { readFileSync } from 'node:fs';
import { visible } from '../../derive/text/visible.js';
import { isObject } from '../../domain/form/patch.js';
import { type Process, writeLine, writeLines } from '../../process/command-process.js';
import { urlFlaw } from '../../remote/target/any-server.js';
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

/** The exit codes are those of design 10; nothing recorded is an empty run. */
export async function runRecord(
  { values }: Arguments,
  process: Process,
  range: Range = { from: 1, to: Number.MAX_SAFE_INTEGER },
): Promise<ExitCode> {
  const { from, 'control-token': token } = values;
  if (typeof from !== 'string')
    return fail(process, exit.usage, [
      '--from is missing: give the file of a capsule, or the URL of a fake that is running',
    ]);
  try {
    const text = await textFrom(from, typeof token === 'string' ? token : undefined);
    if ('problem' in text) return fail(process, text.code, [text.problem]);
    const read = readCapsule(text.text);
    if ('mistakes' in read)
      return fail(
        process,
        exit.usage,
        read.mistakes.map(mistake => `${from}: ${mistake}`),
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
  const there = first === undefined ? 'the journal is empty' : `there are ${first} to ${last}`;
  if (recording === undefined) return fail(process, exit.empty, [`there are no such entries: ${there}`]);
  process.stdout.write(scenarioText(recording));
  const { leftOut } = recording;
  for (const { entry, asked, why } of leftOut)
    writeLine(process.stderr, `cwx-fake record: entry ${entry}, ${visible(asked)}, is left out. ${visible(why)}`);
  return recording.scenario.steps?.length === 0 ? exit.empty : exit.held;
}

type Text = { readonly text: string } | { readonly problem: string; readonly code: ExitCode };

async function textFrom(from: string, token: string | undefined): Promise<Text> {
  if (/^https?:/.test(from)) return capsuleOf(from, token);
  try {
    return { text: readFileSync(from, 'utf8') };
  } catch (error) {
    return { problem: `${from} cannot be read: ${(error as Error).message}`, code: exit.usage };
  }
}

async function capsuleOf(url: string, token: string | undefined): Promise<Text> {
  const flaw = urlFlaw(url);
  if (flaw !== undefined) return { problem: `--from is ${JSON.stringify(url)}: ${flaw}`, code: exit.usage };
  const { origin } = new URL(url);
  const sandbox = sandboxOf(url) ?? 'default';
  const wire = connection(origin);
  try {
    const path = `/_fake/v1/sandboxes/${sandbox}`;
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const described = await wire.send({ method: 'GET', path, headers }); // to ask for its capsule would make it
    const answer =
      described.status === 200 ? await wire.send({ method: 'GET', path: `${path}/capsule`, headers }) : described;
    if (answer.status === 200) return { text: answer.text };
    const body = bodyOf(answer);
    const said = isObject(body) && typeof body.detail === 'string' ? body.detail : `it answers ${answer.status}`;
    const isMissing = answer.status === 404 && isObject(body) && body.title === 'No such sandbox';
    const problem = `${origin} gives no capsule of the sandbox ${sandbox}: ${said}`;
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

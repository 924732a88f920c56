// `cwx-fake coverage`: adds the coverage of running fakes to that of files.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readingCoverage } from '../../server/control/actions/coverage-action.js';
import { coverageMarkdown } from '../../server/derive/text/coverage-markdown.js';
import { isObject } from '../../server/domain/form/patch.js';
import { addCoverage, type Coverage } from '../../server/engine/journal/coverage.js';
import { parsedJson } from '../../server/engine/parsed-json.js';
import { FakeError, orUnreachable } from '../../server/library/port/fake-error.js';
import { HttpPort } from '../../server/library/port/http-port.js';
import type { Process } from '../../server/process/command-process.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { decodedText, readFailure } from '../../server/scenario/yaml/text.js';
import { checkBaseUrl } from '../../server/settings/flag-checks.js';
import { clientCertificateFlags, targetToken } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit, failAs } from '../command/command.js';

export const coverage: Command = {
  name: 'coverage',
  summary: 'Show which operations, rules and readings requests have met, and which they have not, as Markdown.',
  usage: '[folder or file…]',
  flags: [
    {
      name: 'url',
      value: 'url',
      description: 'a running fake; repeatable, the counts are added',
      example: 'http://127.0.0.1:8080',
      repeatable: true,
      check: value => checkBaseUrl(value),
    },
    {
      name: 'since',
      value: 'mark',
      description: 'only requests after this mark, which --json prints',
      example: 'AAAAAA',
    },
    targetToken,
    ...clientCertificateFlags,
    { name: 'json', description: 'as JSON' },
  ],
  examples: [
    ['cwx-fake coverage --url http://127.0.0.1:8080', 'of a running fake'],
    ['cwx-fake coverage --url http://a:8080 --url http://b:8080', 'of two replicas together'],
    ['CWX_FAKE_COVERAGE=met npm test && cwx-fake coverage met', 'of a test suite that creates its fakes in process'],
  ],
  run: runCoverage,
};

/** Name of a fake's coverage file. */
const LEFT = /^coverage-\d+-[0-9a-f]{8}\.json$/;

type Found = { readonly coverage: Coverage } | { readonly problem: string; readonly code: ExitCode };

/** Exits with 3 if there was no request. */
async function runCoverage({ positionals, values }: Arguments, process: Process): Promise<ExitCode> {
  const urls = [values.url ?? (positionals.length === 0 ? 'http://127.0.0.1:8080' : [])].flat().map(String);
  const token = typeof values['control-token'] === 'string' ? values['control-token'] : undefined;
  const since = typeof values.since === 'string' ? values.since : undefined;
  if (since !== undefined && (urls.length !== 1 || positionals.length > 0))
    return failAs('coverage', process, exit.usage, ['--since needs exactly one --url and no folder']);
  const found: Found[] = [];
  for (const url of urls) found.push(await coverageAt(url, token, since));
  for (const path of positionals) found.push(...coverageIn(path));
  const problem = found.find(one => 'problem' in one);
  if (problem !== undefined) return failAs('coverage', process, problem.code, [problem.problem]);
  const all = found.flatMap(one => ('coverage' in one ? [one.coverage] : []));
  if (all.length === 0) return failAs('coverage', process, exit.empty, ['it has no coverage file']);
  const sum = addCoverage(all);
  process.stdout.write(values.json === true ? `${JSON.stringify(sum, null, 2)}\n` : coverageMarkdown(sum));
  if (sum.requests > 0) return exit.passed;
  return failAs('coverage', process, exit.empty, ['no request was counted']);
}

async function coverageAt(url: string, token: string | undefined, since: string | undefined): Promise<Found> {
  const { origin } = new URL(url);
  const port = new HttpPort(origin, token);
  const failed = (says: string, code: ExitCode): Found => ({ problem: `${origin} gives no coverage: ${says}`, code });
  try {
    const coverage = await orUnreachable(port.invoke(readingCoverage, { query: { since } }));
    return isCoverage(coverage) ? { coverage } : failed('it does not respond like a cwx-fake', exit.unreachable);
  } catch (error) {
    if (error instanceof Unreachable) return { problem: error.message, code: exit.unreachable };
    if (!(error instanceof FakeError)) throw error;
    const isWrongMark = since !== undefined && (error.status === 400 || error.status === 410);
    return failed(error.problems.map(({ message }) => message).join(' '), isWrongMark ? exit.usage : exit.unreachable);
  } finally {
    port.stop();
  }
}

/** The coverage in a folder, or in one file. */
function coverageIn(path: string): Found[] {
  try {
    if (!statSync(path).isDirectory()) return [coverageOf(path)];
    return readdirSync(path)
      .filter(name => LEFT.test(name))
      .map(name => coverageOf(join(path, name)));
  } catch (error) {
    return [{ problem: `${path}: ${readFailure(error)}`, code: exit.usage }];
  }
}

function coverageOf(file: string): Found {
  const text = decodedText(readFileSync(file));
  const value = parsedJson(text);
  if (isCoverage(value)) return { coverage: value };
  return { problem: `${file} is not the coverage of a fake`, code: exit.usage };
}

/** Whether it has all counters; their content is trusted. */
function isCoverage(value: unknown): value is Coverage {
  if (!isObject(value) || typeof value.mark !== 'string' || typeof value.requests !== 'number') return false;
  return [value.operations, value.rules, value.refusals, value.gaps].every(isObject);
}

// `cwx-fake coverage`: adds the coverage of running fakes to that of files.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readingCoverage } from '../../server/control/actions/coverage-action.js';
import { coverageMarkdown } from '../../server/derive/text/coverage-markdown.js';
import { isObject } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { addCoverage, type Coverage } from '../../server/engine/journal/coverage.js';
import { FakeError, orUnreachable } from '../../server/library/port/fake-error.js';
import { HttpPort } from '../../server/library/port/http-port.js';
import type { Process } from '../../server/process/command-process.js';
import { decodedText, readFailure } from '../../server/scenario/yaml/text.js';
import { checkBaseUrl } from '../../server/settings/flag-checks.js';
import { clientCertificateFlags, targetToken } from '../../server/settings/serve-flags.js';
import { type Arguments, type Command, Ending, type ExitCode, exit, fail } from '../command/command.js';

export const coverage: Command = {
  name: 'coverage',
  summary: 'Show which operations, rules and readings the requests have covered, and which they have not, as Markdown.',
  usage: '[folder or file…]',
  flags: [
    {
      name: 'url',
      value: 'url',
      description: 'URL of a running fake; if repeated, the counts are added up',
      example: 'http://127.0.0.1:8080',
      repeatable: true,
      check: value => checkBaseUrl(value),
    },
    {
      name: 'since',
      value: 'mark',
      description: 'count only requests after this mark; --json prints the current mark',
      example: 'AAAAAA',
    },
    targetToken,
    ...clientCertificateFlags,
    { name: 'json', description: 'print JSON instead' },
  ],
  examples: [
    ['cwx-fake coverage --url http://127.0.0.1:8080', 'show the coverage of a running fake'],
    ['cwx-fake coverage --url http://a:8080 --url http://b:8080', 'add up the coverage of two replicas'],
    [
      'mkdir -p coverage && CWX_FAKE_COVERAGE=./coverage npm test && cwx-fake coverage ./coverage',
      'show the coverage of a test suite that creates its fakes in its own process',
    ],
  ],
  run: runCoverage,
};

/** Name of a fake's coverage file. */
const LEFT = /^coverage-\d+-[0-9a-f]{8}\.json$/;

/** Exits with 3 if there was no request. */
async function runCoverage({ positionals, values }: Arguments, process: Process): Promise<ExitCode> {
  const urls = [values.url ?? (positionals.length === 0 ? 'http://127.0.0.1:8080' : [])].flat().map(String);
  const token = typeof values['control-token'] === 'string' ? values['control-token'] : undefined;
  const since = typeof values.since === 'string' ? values.since : undefined;
  if (since !== undefined && (urls.length !== 1 || positionals.length > 0))
    fail(exit.usage, '--since requires exactly one --url, and no folder or file');
  const all: Coverage[] = [];
  for (const url of urls) all.push(await coverageAt(url, token, since));
  for (const path of positionals) all.push(...coverageIn(path));
  if (all.length === 0) fail(exit.empty, `no coverage file in ${positionals.join(', ')}`);
  const sum = addCoverage(all);
  process.stdout.write(values.json === true ? `${JSON.stringify(sum, null, 2)}\n` : coverageMarkdown(sum));
  if (sum.requests === 0) fail(exit.empty, 'no requests were counted');
  return exit.passed;
}

async function coverageAt(url: string, token: string | undefined, since: string | undefined): Promise<Coverage> {
  const { origin } = new URL(url);
  const port = new HttpPort(origin, token);
  try {
    const coverage = await orUnreachable(port.invoke(readingCoverage, { query: { since } }));
    if (!isCoverage(coverage))
      fail(exit.unreachable, `${origin} returned no coverage: it does not respond like a cwx-fake`);
    return coverage;
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    const isWrongMark = since !== undefined && (error.status === 400 || error.status === 410);
    const isRefused = isWrongMark || error.status === 401;
    const says = error.problems.map(({ message }) => message).join(' ');
    fail(isRefused ? exit.usage : exit.unreachable, `${origin} returned no coverage: ${says}`);
  } finally {
    port.stop();
  }
}

/** The coverage in a folder, or in one file. */
function coverageIn(path: string): Coverage[] {
  try {
    if (!statSync(path).isDirectory()) return [coverageOf(path)];
    return readdirSync(path)
      .filter(name => LEFT.test(name))
      .map(name => coverageOf(join(path, name)));
  } catch (error) {
    if (error instanceof Ending) throw error;
    fail(exit.usage, `${path}: ${readFailure(error)}`);
  }
}

function coverageOf(file: string): Coverage {
  const value = parsedJson(decodedText(readFileSync(file)));
  if (!isCoverage(value)) fail(exit.usage, `${file} is not a coverage file`);
  return value;
}

/** Whether it has all counters; their content is trusted. */
function isCoverage(value: unknown): value is Coverage {
  if (!isObject(value) || typeof value.mark !== 'string' || typeof value.requests !== 'number') return false;
  return [value.operations, value.rules, value.refusals, value.gaps].every(isObject);
}

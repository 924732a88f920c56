// `cwx-fake proxy` concludes nothing wrong about servers with hidden readings, and its recordings play on a fake.
// PROXIED_SERVERS=200 tries as many; PROXIED_SEED=17 one of them.
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Request } from '../../../../server/engine/request/request.js';
import { operations } from '../../../../server/operations/catalog/catalog.js';
import { type GapId, isGapId, type SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { type Scratch, useSharedScratch } from '../../../support/files/scratch.js';
import { hiddenReadings } from '../../../support/other-servers/hidden-readings.js';
import { oddQuestions } from '../../../support/other-servers/odd-questions.js';
import { begin, run } from '../../../support/processes/commands.js';
import { serving } from '../../../support/wire/server.js';
import { requestTo } from '../../../support/worlds/ask.js';

const SERVERS = Number(process.env.PROXIED_SERVERS ?? 5);
const FIRST = Number(process.env.PROXIED_SEED ?? 1);

describe('a proxy in front of servers with hidden readings', function () {
  this.timeout(600_000);
  const folder = useSharedScratch();

  it(`concludes nothing wrong, and its recordings play: ${SERVERS} servers`, async () => {
    let [known, steps, leftOut] = [0, 0, 0];
    for (let seed = FIRST; seed < FIRST + SERVERS; seed += 1) {
      const concluded = await expectRightThroughProxy(seed, folder);
      known += concluded.known;
      steps += concluded.steps;
      leftOut += concluded.leftOut;
    }
    const average = (count: number) => (count / SERVERS).toFixed(1);
    console.log(`      ${average(known)} readings known, ${average(steps)} steps, ${average(leftOut)} left out`);
    expect(known / SERVERS).to.be.at.least(5);
    expect(leftOut / (steps + leftOut)).to.be.at.most(0.01);
  });
});

interface Concluded {
  /** Gaps whose reading is known. */
  readonly known: number;
  readonly steps: number;
  readonly leftOut: number;
}

const PREFIX: Readonly<Record<string, string>> = {
  'rest-api': '/rest/api/cwxapiextension/',
  bare: '/cwxapiextension/',
};

/** Expects that nothing wrong is concluded of a server, and that each recorded step passes. */
async function expectRightThroughProxy(seed: number, folder: Scratch): Promise<Concluded> {
  const hidden = hiddenReadings(seed);
  const target = await serving('small-team', { reading: Object.entries(hidden).map(pair => pair.join('=')) });
  const proxy = begin(['proxy', '--target', target.url, '--port', '0']);
  await proxy.stderr.says(/listening on (\S+)/);
  const url = /listening on (\S+)/.exec(proxy.stderr.text)?.[1] ?? '';
  await askAll(url, seed, hidden);
  const recorded = await run(['record', '--url', url]);
  proxy.signals.emit('SIGINT', 'SIGINT');
  const { code, stdout } = await proxy.ended;
  await target.stop();
  expect(code, proxy.stderr.text).to.equal(0);
  expect(recorded.code, recorded.stderr).to.equal(0);
  folder.write('recorded.yaml', recorded.stdout);
  const played = await run(['play', join(folder.path, 'recorded.yaml')]);
  expect(played.code, `${seed}: ${played.stdout}${played.stderr}`).to.equal(0);
  return {
    known: knownOf(stdout, hidden),
    steps: Number(/(\d+) steps? (?:held|passed), 0 failed/.exec(played.stdout)?.[1]),
    leftOut: recorded.stderr.split('was left out.').length - 1,
  };
}

/** What a client asks of a server that it knows: all of it below the prefix that is served there. */
async function askAll(url: string, seed: number, hidden: SomeReadings): Promise<void> {
  for (const operation of operations)
    for (const [i, question] of oddQuestions(operation).entries()) {
      if ((i + seed) % 4 !== 0) continue;
      const method = i % 5 === 0 ? operation.heading?.method : undefined;
      const request = requestTo(operation, { ...question, ...(method && { method }) });
      const { body, contentType } = request;
      if (!['absent', 'empty', 'json', 'not-json'].includes(body.kind)) continue;
      const path = request.url.replace('/rest/cwxapiextension/', PREFIX[hidden['wiki-prefix'] ?? ''] ?? '$&');
      const response = await fetch(url + path, {
        method: request.method,
        headers: { ...credentialsOf(request), ...(contentType !== '' && { 'content-type': contentType }) },
        ...('text' in body && { body: body.text }),
      });
      await response.arrayBuffer();
    }
}

function credentialsOf({ credentials }: Request): Record<string, string> {
  if (credentials.kind === 'bearer') return { authorization: `Bearer ${credentials.token}` };
  if (credentials.kind !== 'basic') return {};
  const { user, password } = credentials;
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** The number of readings reported as known. Each of these, and each reported as possible, must be the hidden one. */
function knownOf(text: string, hidden: SomeReadings): number {
  const known = Object.entries((parse(text) ?? {}) as Record<string, string>);
  for (const [gap, reading] of known) expect(reading, gap).to.equal(hidden[gap as GapId]);
  for (const [, gap = '', readings = ''] of text.matchAll(/^# ([a-z-]+): (.*) \(\d+ answers?\)$/gm))
    if (isGapId(gap)) expect(readings.split(' or '), gap).to.include(hidden[gap]);
  expect(text).not.to.contain('no reading agrees');
  return known.length;
}

// Sends every command of the guide as a reader would, and compares the responses with those shown.

import { expect } from 'chai';
import { guide } from '../../../server/derive/guide/guide.js';
import { curl } from '../../../server/derive/sending/curl.js';
import { evolveAll } from '../../../server/domain/facts.js';
import type { World } from '../../../server/domain/world/world.js';
import { noQuery, parseQuery } from '../../../server/engine/request/request.js';
import type { Result } from '../../../server/engine/request/result.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { locate } from '../../../server/operations/address.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { defaultReadings, gapIds } from '../../../server/operations/gaps/gaps.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { type Command, type Shown, shownCommands } from './shell.js';

const page = guide();
const commands = shownCommands(page);

describe('the guide', () => {
  it('shows each example of each operation as a command with its response', () => {
    const examples = operations.reduce((sum, operation) => sum + operation.examples.length, 0);
    expect(commands.length).to.equal(page.match(/^Response /gm)?.length);
    expect(commands.length).to.be.greaterThan(examples);
    for (const operation of operations)
      for (const example of operation.examples)
        expect(page).to.include(curl(operation, example, 'http://127.0.0.1:8080'));
  });

  it('has every operation, its rules and its gaps', () => {
    for (const { id, method, path, rules } of operations) {
      expect(page).to.include(`### ${id}\n`);
      expect(page).to.match(new RegExp(`\`${method} /rest/\\S*${path.replace(/[{}]/g, '\\$&')}\``));
      for (const rule of Object.keys(rules)) expect(page).to.include(`- \`${rule}\`: `);
    }
    for (const gap of gapIds) expect(page).to.include(`| \`${gap}\` | `);
  });

  it('answers as shown when it is followed from top to bottom', () => {
    let world = smallTeam;
    for (const shown of commands) {
      const result = send(shown.command, world);
      holdResponse(shown, result);
      world = evolveAll(world, result.facts);
    }
  });

  it('names the given address, and no other', () => {
    const elsewhere = guide({ root: 'https://fake.test:8443', sandbox: 'job-7' });
    expect(elsewhere).to.include('curl -X POST https://fake.test:8443/_fake/v1/sandboxes/job-7/reset\n');
    const inSandbox = page
      .replaceAll(/http:\/\/127\.0\.0\.1:8080(?=\/_fake|\/~|\S*isUnique\?spaceKey=MARS)/g, 'https://fake.test:8443')
      .replaceAll('http://127.0.0.1:8080', 'https://fake.test:8443/~job-7')
      .replace('sandboxes/default/reset', 'sandboxes/job-7/reset');
    expect(elsewhere).to.equal(inSandbox);
  });
});

function holdResponse({ command, status, body }: Shown, { response }: Result): void {
  const what = `${command.method} ${command.url} ${command.body ?? ''}`;
  expect(response.status, what).to.equal(status);
  expect(response.body === undefined ? undefined : JSON.parse(response.body), what).to.deep.equal(
    body === undefined ? undefined : JSON.parse(body),
  );
}

function send({ method, url, headers, user, password, body }: Command, world: World): Result {
  const [path = '', search] = url.split('?');
  const address = locate(path);
  const at = (pattern: string) => new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const endpoint = endpoints.find(
    other => other.family === address?.family && at(other.path).test(address?.rest ?? ''),
  );
  if (address === undefined || endpoint === undefined)
    throw new Error(`the guide shows ${url}, where there is nothing`);
  const readings = headers['X-Fake-Reading'];
  return runStages(
    {
      method,
      url,
      address,
      endpoint,
      params: { ...at(endpoint.path).exec(address.rest)?.groups },
      query: search === undefined ? noQuery : parseQuery(search),
      credentials: user === undefined ? { kind: 'none' } : { kind: 'basic', user, password: password ?? '' },
      contentType: headers['Content-Type'] ?? '',
      body: body === undefined ? { kind: 'absent' } : { kind: 'json', value: JSON.parse(body), text: body },
      ...(readings !== undefined && { readings }),
    },
    { world, readings: defaultReadings, now: '2026-01-05T09:00:00Z' },
  );
}

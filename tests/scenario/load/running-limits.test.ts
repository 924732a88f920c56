// The size of a YAML file that a running server loads, and that it may be larger at the start.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';
import { sendJson, serving } from '../../support/wire/server.js';

const MIB = 2 ** 20;
const padded = (bytes: number) => `title: Large\nfixture: small-team\n#${'x'.repeat(bytes)}\n`;
const dense = `users: { ${Array.from({ length: 60_000 }, (_, i) => `u${i}: {}`).join(', ')} }\n`;

describe('a YAML file of a running server', () => {
  let files: Scratch;
  let server: Running;
  before(async () => {
    files = scratch({
      'scenarios/large.yaml': padded(MIB),
      'scenarios/over.yaml': 'title: Over\nfixture: wide\n',
      'fixtures/wide.yaml': `users: { ada: {} }\n#${'x'.repeat(MIB)}\n`,
      'fixtures/dense.yaml': dense,
    });
    const folders = { scenarios: `${files.path}/scenarios`, fixtures: `${files.path}/fixtures` };
    server = await serving('large', { ...folders, 'max-body': String(4 * MIB) });
  });
  after(async () => {
    await server.stop();
    files.drop();
  });
  const replace = async (body: object) => {
    const { status, json } = await sendJson(`${server.url}/_fake/v1/sandboxes/one`, 'PUT', body);
    return { status, text: JSON.stringify(json) };
  };
  const limit =
    /The file has \d+ bytes, but a running server loads at most 1048576. For a large world, use `generate`, or start the server with this file\./;

  for (const [what, body, says] of [
    ['a scenario by name', { scenario: 'large' }, limit],
    ['the fixture of a scenario', { scenario: 'over' }, limit],
    ['a text', { text: padded(MIB), file: 'mine.yaml' }, limit],
    [
      'a text in characters of several bytes',
      { text: `title: a\n#${'ü'.repeat(MIB / 2)}\n`, file: 'mine.yaml' },
      limit,
    ],
    [
      'a fixture of many words',
      { scenario: 'dense' },
      /more than 50000 tokens up to this point, which is the limit in a running server/,
    ],
    [
      'a recipe of a million users',
      { text: 'generate: { users: 1000000 }\n', file: 'mine.yaml' },
      /This recipe has 1000000 records, counting each group 20 times for its members, but a running server generates at most 250000\./,
    ],
    [
      'a recipe of many groups',
      { text: 'generate: { users: 10, groups: 13000 }\n', file: 'mine.yaml' },
      /This recipe has 260010 records/,
    ],
  ] as const)
    it(`is refused with the limit: ${what}`, async () => {
      const { status, text } = await replace(body);
      expect(status).to.equal(400);
      expect(text).to.match(says);
    });

  it('of just 1 MiB is loaded', async () => {
    const text = padded(MIB - 100);
    expect((await replace({ text, file: 'mine.yaml' })).status).to.equal(201);
  });

  it('may be larger at the start, and for commands', async () => {
    expect((await run(['check', 'scenarios/large.yaml', 'fixtures/dense.yaml'], { cwd: files.path })).code).to.equal(0);
  });
});

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
  it('is refused with the limit', async () => {
    for (const [body, says] of [
      [{ scenario: 'large' }, 'at most 1048576'],
      [{ scenario: 'over' }, 'at most 1048576'],
      [{ text: padded(MIB), file: 'mine.yaml' }, 'at most 1048576'],
      [{ text: `title: a\n#${'ü'.repeat(MIB / 2)}\n`, file: 'mine.yaml' }, 'at most 1048576'],
      [{ scenario: 'dense' }, 'more than 50000 tokens'],
      [{ text: 'generate: { users: 1000000 }\n', file: 'mine.yaml' }, 'at most 250000'],
      [{ text: 'generate: { users: 10, groups: 13000 }\n', file: 'mine.yaml' }, 'has 260010 records'],
    ] as const) {
      const { status, text } = await replace(body);
      expect(status, says).to.equal(400);
      expect(text).to.contain(says);
    }
  });

  it('of just 1 MiB is loaded', async () => {
    const text = padded(MIB - 100);
    expect((await replace({ text, file: 'mine.yaml' })).status).to.equal(201);
  });

  it('may be larger at the start, and for commands', async () => {
    expect((await run(['check', 'scenarios/large.yaml', 'fixtures/dense.yaml'], { cwd: files.path })).code).to.equal(0);
  });
});

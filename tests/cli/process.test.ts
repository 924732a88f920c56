// Each command as a process: its output and exit code equal those of the command run inside a test.
import { expect } from 'chai';
import { pactOf } from '../harness/verify/running.js';
import { useSharedScratch } from '../support/files/scratch.js';
import { built } from '../support/processes/built.js';
import * as processes from '../support/processes/command-line.js';
import * as commands from '../support/processes/commands.js';
import { useServer } from '../support/wire/server.js';

const story = `title: Good
fixture: small-team
steps:
  - { say: Carol joins, call: groups.add-users, body: { group: customers, users: [carol] }, expect: { status: 200 } }
`;

/** The arguments for a fake at a URL, the exit code and the environment. */
const rows: ReadonlyArray<readonly [args: (url: string) => readonly string[], code: number, env?: object]> = [
  [() => ['--version'], 0],
  [() => ['check', 'bad.yaml', 'nowhere.yaml'], 2],
  [() => ['play', 'bad.yaml'], 1, { FORCE_COLOR: '1' }],
  [url => ['record', '--url', url], 4],
  [() => ['verify', 'none.json'], 3],
  [() => ['serve', 'nowhere', '--port', '0'], 2],
];

describe('a command as a process', () => {
  before(built);
  const server = useServer(undefined, { control: 'off', 'no-explain': true });
  const folder = useSharedScratch({
    'bad.yaml': story.replace('200', '404'),
    'none.json': JSON.stringify(pactOf([])),
  });

  it('reports in a line that the current folder is gone', async () => {
    const { code, stderr } = await processes.run(['--version'], { shell: 'cd "$(mktemp -d)" && rmdir "$PWD"' });
    expect({ code, lines: stderr.split('\n').length }).to.deep.equal({ code: 2, lines: 2 });
  });

  for (const [args, code, env = {}] of rows)
    it(`exits with ${code} and prints the same: ${args('http://…').join(' ')}`, async () => {
      const inside = { cwd: folder.path, env: { ...env } };
      const given = args(server.url);
      const started = await processes.run(given, inside);
      expect(started, given.join(' ')).to.deep.equal(await commands.run(given, inside));
      expect(started.code, started.stdout + started.stderr).to.equal(code);
    });
});

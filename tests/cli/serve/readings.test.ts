// Readings on the command line: single ones, a file of them, and their precedence over the scenario.
import { expect } from 'chai';
import { profileReadings } from '../../../server/operations/gaps/profiles.js';
import { useScratch } from '../../support/files/scratch.js';
import type { Launched } from '../../support/processes/command-line.js';
import { endAll, launch, refusalOf, run } from '../../support/processes/commands.js';
import { send } from '../../support/wire/server.js';

describe('readings on the command line', () => {
  afterEach(endAll);
  const folder = useScratch();

  const reading = (...chosen: string[]) => chosen.flatMap(one => ['--reading', one]);
  const launched = (...args: string[]) => launch(args, { cwd: folder.path });
  const failing = async (...args: string[]) =>
    (await refusalOf(run(['serve', '--port', '0', ...args], { cwd: folder.path }))).replace(
      /Run cwx-fake serve --help for its arguments and flags.\n$/,
      '',
    );
  const readingsOf = async ({ url }: Launched) => (await send(`${url}/_fake/v1/sandboxes/default/readings`)).json;

  it('can be repeated, and the last one for a gap wins, also a literal', async () => {
    folder.write('none.yaml', '# none yet\n');
    const chosen = reading('unknown-user=400', 'context-path=/wiki', 'unknown-user=skip');
    const server = await launched('--readings', 'none.yaml', ...chosen);
    expect(await readingsOf(server)).to.include({
      'unknown-user': 'skip',
      'context-path': '/wiki',
      'unknown-group': '404',
    });
  });

  it('are refused with the nearest valid one', async () => {
    expect(await failing('--reading', 'unknown-user')).to.equal(
      'cwx-fake serve: --reading cannot be "unknown-user": it must be gap=value, as in unknown-user=400\n',
    );
    expect(await failing('--reading', 'unknwon-user=400')).to.contain(
      'Unknown gap "unknwon-user" (did you mean "unknown-user"?).',
    );
    expect(await failing(...reading('wiki-auth=admins', 'unknown-user=7'))).to.equal(
      'cwx-fake serve: --reading cannot be "wiki-auth=admins": wiki-auth has no reading "admins" (did you mean "admin"?): expected open, authenticated, admin or permitted.\n' +
        'cwx-fake serve: --reading cannot be "unknown-user=7": unknown-user has no reading "7": expected 404, 400, 403, skip, message or create.\n',
    );
  });

  it('override a profile, wherever it is chosen: the most specific wins', async () => {
    folder.write('readings.yaml', 'profile: realistic\nunknown-group: 400\nwiki-success: no-content\n');
    folder.write('scenarios/strict.yaml', 'title: Strict\nfixture: small-team\nprofile: strict\n');
    const single = ['--readings', 'readings.yaml', '--reading', 'wiki-success=empty'];
    const [lenient, realistic, overFile, ofScenario] = await Promise.all([
      launched('--profile', 'lenient'),
      launched(...single),
      launched('--profile', 'strict', ...single),
      launched('strict', ...single),
    ]);
    expect(await readingsOf(lenient)).to.deep.equal(profileReadings('lenient'));
    const own = { 'unknown-group': '400', 'wiki-success': 'empty' };
    expect(await readingsOf(realistic)).to.deep.equal({ ...profileReadings('realistic'), ...own });
    expect(await readingsOf(overFile)).to.deep.equal({ ...profileReadings('strict'), ...own });
    expect(await readingsOf(ofScenario)).to.deep.equal({ ...profileReadings('strict'), ...own });
    expect((await ofScenario.signal('SIGTERM')).stderr).to.equal('profile strict\n');
    expect(await failing('--profile', 'strct')).to.equal(
      'cwx-fake serve: --profile cannot be "strct": expected lenient, strict or realistic (did you mean "strict"?)\n',
    );
    folder.write('readings.yaml', 'profile: realistc\n');
    expect(await failing('--readings', 'readings.yaml')).to.equal(
      'readings.yaml:1:10: Unknown profile "realistc": expected lenient, strict or realistic (did you mean "realistic"?).\n',
    );
  });

  it('in an invalid file are reported all at once, with file, line and column', async () => {
    folder.write('readings.yaml', 'unknown-user: 40\nwiki-auht: admin\nwiki-auth: [admin]\n');
    expect(await failing('--readings', 'readings.yaml')).to.equal(
      'readings.yaml:1:15: unknown-user has no reading "40" (did you mean "404"?): expected 404, 400, 403, skip, message or create.\n' +
        'readings.yaml:2:1: Unknown gap "wiki-auht" (did you mean "wiki-auth"?).\n' +
        'readings.yaml:3:12: wiki-auth must be the name of a reading, not a list of length 1.\n',
    );
    expect(await failing('--readings', 'nowhere.yaml')).to.equal('nowhere.yaml: No such file or folder.\n');
    folder.write('readings.yaml', 'a: [\n');
    expect(await failing('--readings', 'readings.yaml')).to.match(/^readings\.yaml:\d+:\d+: /);
  });

  it('are overridden by those of the scenario, with a note', async () => {
    folder.write(
      'scenarios/strict.yaml',
      'title: Strict\nfixture: small-team\nreadings: { wiki-auth: admin, unknown-user: 400 }\n',
    );
    const server = await launched('strict', ...reading('wiki-auth=open', 'unknown-user=400', 'unknown-group=400'));
    expect(await readingsOf(server)).to.include({
      'wiki-auth': 'admin',
      'unknown-user': '400',
      'unknown-group': '400',
    });
    const { stderr } = await server.signal('SIGTERM');
    expect(stderr).to.equal(
      'the scenario strict sets wiki-auth=admin, which overrides wiki-auth=open\nprofile lenient\n',
    );
  });
});

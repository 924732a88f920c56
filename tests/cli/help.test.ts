// `--help` of each command, and `--version`: every flag with its environment variable, its default, and examples.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { playFlags } from '../../cli/play/play-flags.js';
import { proxyFlags } from '../../cli/remote/proxy-command.js';
import { outsideFlags } from '../../cli/remote/remote-flags.js';
import { runningFakeCommands } from '../../cli/running-fake/verbs.js';
import { sensitivityFlags } from '../../cli/sensitivity/sensitivity-command.js';
import { doctorFlags } from '../../cli/set-up/doctor-command.js';
import { verifyFlags } from '../../cli/verify/verify-flags.js';
import { serveFlags } from '../../server/settings/serve-flags.js';
import { packageFolder } from '../support/processes/built.js';
import { begin, printedBy, refusalOf, run } from '../support/processes/commands.js';

const folderFlags = serveFlags.filter(({ name }) => ['fixtures', 'scenarios'].includes(name));
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  serve: serveFlags.map(({ name }) => name),
  play: playFlags.map(({ name }) => name),
  record: ['url', 'sandbox', 'entries', 'control-token'],
  verify: verifyFlags.map(({ name }) => name),
  sensitivity: sensitivityFlags.map(({ name }) => name),
  conform: [...outsideFlags.map(({ name }) => name), 'only'],
  calibrate: outsideFlags.map(({ name }) => name),
  proxy: proxyFlags.map(({ name }) => name),
  coverage: ['url', 'since', 'control-token', 'json'],
  init: [],
  check: folderFlags.map(({ name }) => name),
  health: ['port', 'host', 'tls', 'tls-cert'],
  doctor: doctorFlags.map(({ name }) => name),
  ledger: ['json'],
  guide: ['json'],
  openapi: ['rest-api'],
  schema: [],
  completion: [],
};
const listed = `expected ${[...Object.keys(flagsOf), ...runningFakeCommands].join(', ').replace(/, ([^,]*)$/, ' or $1')}`;

describe('the help', () => {
  const saying = (...args: string[]) => printedBy(run(args));

  it('lists the commands', async () => {
    const text = await saying('--help');
    for (const command of Object.keys(flagsOf)) expect(text).to.match(new RegExp(`^  ${command} +[A-Z].*\\.$`, 'm'));
    expect(await saying('help')).to.equal(text);
    expect(await saying('-h')).to.equal(text);
  });

  for (const [command, flags] of Object.entries(flagsOf)) {
    it(`describes each flag of ${command}, with its environment variable and examples`, async () => {
      const text = await saying(command, '--help');
      expect(text).to.match(new RegExp(`^cwx-fake ${command}\\b`));
      for (const flag of flags) {
        const variable = `CWX_FAKE_${flag.toUpperCase().replaceAll('-', '_')}`;
        expect(text).to.match(new RegExp(`^  --${flag}( \\S+)? .*\\n +${variable}$`, 'm'));
      }
      const valueless = /^ {2}--\S+(?: {2,}|\n)|, such as | \(default |^ {2}--\S+ \S*[|,]/;
      const flagLines = [...text.matchAll(/^ {2}--.*(?:\n(?! *CWX_FAKE| {2}-).*)*/gm)].map(([lines]) => lines);
      expect(flagLines.filter(lines => !valueless.test(lines))).to.deep.equal([]);
      const [, examples = ''] = text.split('\nExamples:\n');
      expect(examples).to.match(new RegExp(`^  cwx-fake( ${command}\\b.*)?\\n      \\S`));
      expect(await saying('help', command)).to.equal(text);
      expect(await saying(command, '--nonsense', '-h')).to.equal(text);
    });
  }

  it('shows the defaults of serve', async () => {
    const text = await saying('serve', '--help');
    expect(text.split('\n').filter(line => line.length > 150)).to.deep.equal([]);
    for (const { name, default: standard } of serveFlags) {
      if (standard !== undefined) expect(text).to.match(new RegExp(`--${name} .*\\(default ${standard}\\)$`, 'm'));
    }
  });
});

describe('the help in a terminal', () => {
  it('wraps at words, at any width', async () => {
    for (const columns of [20, 40, 80]) {
      for (const args of [['--help'], ['serve', '--help'], ['play', '--help'], ['clock', '--help']]) {
        const { stdout, ended } = begin(args, { columns });
        await ended;
        const parts = columns < 40 ? '' : ' '; // a word wider than a line is broken
        const textOf = (text: string) => text.trim().split(/\s+/).join(parts);
        expect(textOf(stdout.text), `${args} in ${columns}`).to.equal(textOf((await run(args)).stdout));
        const long = stdout.text.split('\n').filter(line => line.length > columns);
        const isKept = (line: string) => /^ {2}\S|^cwx-fake /.test(line) || !line.trim().includes(' ');
        expect(
          long.filter(line => !isKept(line)),
          `${args} in ${columns}`,
        ).to.deep.equal([]); // command lines and flags stay whole
      }
    }
  });
});

describe('the version', () => {
  it('is that of package.json', async () => {
    const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
    for (const flag of ['--version', '-v']) {
      expect(await printedBy(run([flag]))).to.equal(`${version}\n`);
    }
  });

  for (const [args, expected] of [
    [['chek', 'x.yaml'], `unknown command "chek" (did you mean "check"?): ${listed}\n`],
    [['sreve', '--port', '0'], `unknown command "sreve" (did you mean "serve"?): ${listed}\n`],
    [
      ['status', '--url', 'http://127.0.0.1:8080'],
      'Unknown command or scenario "status".\nRun cwx-fake --help for the commands.\n',
    ],
    [['--url', 'http://127.0.0.1:8080', 'world'], 'The command comes first: cwx-fake world --url …\n'],
    [['help', 'nope'], `unknown command "nope": ${listed}\n`],
  ] as const) {
    it(`suggests the nearest command: ${args.join(' ')}`, async () => {
      expect(await refusalOf(run(args))).to.equal(expected);
    });
  }

  it('suggests the scenario that begins so, and names the help of the commands', async () => {
    expect(await refusalOf(run(['pushing']))).to.match(
      /Unknown scenario "pushing" \(did you mean "pushing-favourites"\?\).*\nRun cwx-fake --help for the commands\.\n$/,
    );
  });
});

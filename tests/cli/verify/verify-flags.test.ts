// How the flags of `verify` combine with each other and with the environment variables of Pact's own tools: it reports
// contradictions and shows no secrets.
import { expect } from 'chai';
import { readArguments } from '../../../cli/command/command.js';
import { verify } from '../../../cli/verify/verify-command.js';
import { type VerifyCommand, verifyCommand } from '../../../cli/verify/verify-flags.js';

type Environment = Readonly<Record<string, string>>;

/** The settings that a command line gives, or its errors. */
function meant(argv: readonly string[], env: Environment = {}): VerifyCommand | { readonly errors: readonly string[] } {
  const read = readArguments(verify, argv, env);
  return 'errors' in read ? read : verifyCommand(read.positionals, read.values, env);
}

function right(argv: readonly string[], env: Environment = {}): VerifyCommand {
  const command = meant(argv, env);
  if ('errors' in command) throw new Error(command.errors.join('\n'));
  return command;
}

function errors(argv: readonly string[], env: Environment = {}): readonly string[] {
  const command = meant(argv, env);
  return 'errors' in command ? command.errors : [];
}

const broker = 'https://broker.example.com';

describe('the flags of verify', () => {
  it('default to a fake in this process and no broker', () => {
    expect(right(['pacts', 'more.json'])).to.deep.equal({
      words: ['pacts', 'more.json'],
      gather: { broker: { selectors: [], includePending: false } },
      selected: {},
      isSensitive: false,
      isStrict: false,
      isJson: false,
      reports: { files: [], github: false },
    });
  });

  it('set the target, and the headers added to each request', () => {
    const { target, scenario } = right([
      'pacts',
      ...['--target', 'http://127.0.0.1:8080/wiki', '--control-token', 't', '--scenario', 'unlicensed'],
      ...['--header', 'Authorization: Bearer a: b, c', '--header', 'X-Empty:'],
    ]);
    expect(scenario).to.equal('unlicensed');
    expect(target).to.deep.equal({
      url: 'http://127.0.0.1:8080/wiki',
      token: 't',
      headers: { Authorization: 'Bearer a: b, c', 'X-Empty': '' },
    });
    expect(right(['p', '--target', 'http://x', '--state-change-url', 'http://x/states']).target).to.include({
      stateChangeUrl: 'http://x/states',
    });
  });

  it("set the broker's selection, and what is published", () => {
    const { gather, publish } = right([
      broker,
      ...['--provider', 'push-pull', '--broker-token', 'secret', '--pending', '--wip-since', '2026-01-31'],
      ...['--selector', 'branch=feat/x,consumer=web', '--selector', '{"mainBranch":true}', '--strict'],
      ...['--publish', '--provider-version', '1.2.3', '--provider-branch', 'main', '--provider-tag', 'a'],
      ...['--provider-tag', 'b', '--build-url', 'https://ci.example.com/7'],
    ]);
    expect(gather).to.deep.equal({
      providers: ['push-pull'],
      broker: {
        token: 'secret',
        selectors: [{ branch: 'feat/x', consumer: 'web' }, { mainBranch: true }],
        includePending: true,
        includeWipSince: '2026-01-31',
        providerBranch: 'main',
        providerTags: ['a', 'b'],
      },
    });
    expect(publish).to.deep.equal({
      providerVersion: '1.2.3',
      branch: 'main',
      tags: ['a', 'b'],
      buildUrl: 'https://ci.example.com/7',
      isStrict: true,
      token: 'secret',
    });
    expect(right([broker, '--provider-version', '1']).publish).to.equal(undefined);
  });

  it('set the output', () => {
    expect(right(['p', '--json', '--sensitivity', '--report', 'junit=a.xml,github'])).to.deep.include({
      isJson: true,
      isSensitive: true,
      reports: { files: [{ format: 'junit', file: 'a.xml' }], github: true },
    });
  });

  /** By the arguments, separated by bars. */
  const wrong: Readonly<Record<string, string>> = {
    '': 'missing pacts: give files, folders, URLs or a broker. Example: cwx-fake verify pacts/',
    'p|--target|nonsense': '--target cannot be "nonsense": ',
    'p|--target|http://a:b@x':
      '--target cannot be "http://x": it must be a URL without credentials: give them with --header \'Authorization: …\'',
    'p|--control-token|t': '--control-token requires a target',
    'p|--header|X: 1': '--header requires a target',
    'p|--header|no colon': "--header must have the form 'Name: value'",
    'p|--target|http://x|--control-token|t|--state-change-url|http://x/s':
      '--control-token and --state-change-url cannot be combined: the first is for a cwx-fake, the second for other servers',
    'p|--state-change-url|ftp://x': '--state-change-url cannot be "ftp://x": ',
    'p|--provider|': '--provider cannot be "": it must be name[=api]',
    'p|--provider|acme=push-pul': 'unknown API "push-pul" (did you mean "push-pull"?)',
    'p|--reading|wiki-success=nothing': '--reading cannot be "wiki-success=nothing": ',
    'p|--wip-since|yesterday': '--wip-since cannot be "yesterday": it must be a date such as 2026-01-31',
    [`${broker}|--selector|mainBranhc`]: '--selector cannot be "mainBranhc": a selector has no key "mainBranhc"',
    [`${broker}|--selector|matchingBranch`]: 'the selector matchingBranch requires --provider-branch',
    'p|--selector|mainBranch': "--selector requires a broker: give the broker's URL in place of pact files",
    [`${broker}|--publish`]: '--publish requires --provider-version, as in --provider-version $(git rev-parse HEAD)',
    'p|--publish|--provider-version|1': "--publish requires a broker: give the broker's URL in place of pact files",
    [`${broker}|--broker-token|t|--broker-user|a:b`]: '--broker-token and --broker-user cannot be combined',
    [`${broker}|--broker-user|nobody`]: '--broker-user must be user:password',
    [`${broker}|p|http://ci.example.com/a.json|--broker-token|t`]:
      "the broker's credentials would be sent to broker.example.com and ci.example.com: verify one host at a time",
  };
  it('are refused with the reason if they are invalid', () => {
    for (const [words, message] of Object.entries(wrong)) {
      const found = errors(words === '' ? [] : words.split('|'));
      expect(found, words).to.have.length(1);
      expect(found[0]).to.include(message);
    }
  });
});

describe('the environment of verify', () => {
  it('has a variable for each flag, with one value per line if values contain commas', () => {
    const { gather, target } = right(['p', broker], {
      CWX_FAKE_TARGET: 'http://127.0.0.1:8080',
      CWX_FAKE_HEADER: 'Accept: a, b\nX: 1\n',
      CWX_FAKE_SELECTOR: 'branch=x,consumer=web\nmainBranch',
      CWX_FAKE_PROVIDER_TAG: 'a,b',
      CWX_FAKE_PENDING: 'true',
    });
    expect(target?.headers).to.deep.equal({ Accept: 'a, b', X: '1' });
    expect(gather.broker).to.deep.equal({
      selectors: [{ branch: 'x', consumer: 'web' }, { mainBranch: true }],
      includePending: true,
      providerTags: ['a', 'b'],
    });
  });

  const pact = { PACT_BROKER_BASE_URL: broker, PACT_BROKER_TOKEN: 'theirs' };

  it("has Pact's own variables for missing broker flags", () => {
    const { words, gather } = right([], pact);
    expect(words).to.deep.equal([broker]);
    expect(gather.broker.token).to.equal('theirs');
    const basic = { PACT_BROKER_USERNAME: 'ann', PACT_BROKER_PASSWORD: 'p:w' };
    expect(right([broker], basic).gather.broker.basic).to.deep.equal({ user: 'ann', password: 'p:w' });
  });

  it("is overridden by flags, then Pact's variables by those of cwx-fake", () => {
    expect(right(['http://other'], pact).words).to.deep.equal(['http://other']);
    const ours = { ...pact, CWX_FAKE_BROKER_TOKEN: 'ours' };
    expect(right([], ours).gather.broker.token).to.equal('ours');
    expect(right(['--broker-token', 'flag'], ours).gather.broker.token).to.equal('flag');
    expect(right(['--broker-user', 'ann:p:w'], pact).gather.broker).to.deep.equal({
      basic: { user: 'ann', password: 'p:w' },
      selectors: [],
      includePending: false,
    });
  });

  it('is ignored without a broker', () => {
    const both = { PACT_BROKER_TOKEN: 'a', PACT_BROKER_USERNAME: 'b' };
    expect(right(['pacts'], { ...both, PACT_BROKER_BASE_URL: broker }).gather.broker).to.deep.equal({
      selectors: [],
      includePending: false,
    });
    expect(errors([broker], both)).to.deep.equal(['PACT_BROKER_TOKEN and PACT_BROKER_USERNAME cannot be combined']);
  });

  it('is refused if it is incomplete', () => {
    for (const [set, other] of [
      ['USERNAME', 'PASSWORD'],
      ['PASSWORD', 'USERNAME'],
    ])
      expect(errors([broker], { [`PACT_BROKER_${set}`]: 'a' })).to.deep.equal([
        `PACT_BROKER_${set} is set, but PACT_BROKER_${other} is not: set both, or PACT_BROKER_TOKEN`,
      ]);
  });
});

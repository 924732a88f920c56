// The flags of `cwx-fake verify`, and what they mean together and with the environment variables that Pact's own tools read.
// Knows nothing of how a contract is verified.
import type { Environment } from '../../process/command-process.js';
import { urlFlaw } from '../../remote/target/any-server.js';
import { type Reports, reportFlag, reportsIn } from '../../report/formats.js';
import { type Flag, type FlagValues, flagsOfServe } from '../../settings.js';
import type { Credentials } from '../../verify/broker/broker-credentials.js';
import type { PublishOptions } from '../../verify/broker/publish.js';
import { parseSelector } from '../../verify/broker/selectors.js';
import type { GatherOptions } from '../../verify/pacts/gather.js';
import { parseProvider } from '../../verify/pacts/providers.js';
import type { RemoteTarget } from '../../verify/providers/provider.js';
import { authOf } from './verify-auth.js';

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\x80-\xff]*)$/;
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

const flag = (name: string, value: string, says: string, check?: Flag['check']): Flag => ({
  name,
  value,
  description: says,
  check: given => (given === '' ? `it takes ${value}` : check?.(given)),
});

export const verifyFlags: readonly Flag[] = [
  {
    ...flag(
      'provider',
      'name[=family]',
      'verify the pacts of this provider, whatever it is called (family: wiki-extension or push-pull); several times; others are left out',
      given => {
        const parsed = parseProvider(given);
        return 'problem' in parsed ? parsed.problem : undefined;
      },
    ),
    repeatable: true,
  },
  flag('scenario', 's', 'the scenario of interactions that ask for no state'),
  flag('target', 'url', 'the server to verify; left out, a fake in this process', targetFlaw),
  {
    ...flag('control-token', 't', 'the token that the control API of the target takes, where that is a cwx-fake'),
    isSecret: true,
  },
  flag('state-change-url', 'url', 'where a target that is no cwx-fake is told of provider states', httpFlaw),
  {
    ...flag('header', "'Name: value'", 'laid over each request to the target; may be given several times', value =>
      HEADER.test(value) ? undefined : 'write Name: value',
    ),
    repeatable: true,
    separator: '\n',
    isSecret: true,
  },
  ...flagsOfServe('profile', 'reading', 'readings'),
  {
    name: 'sensitivity',
    description: 'tell what becomes of each interaction under every other reading of the gaps it touches',
  },
  { name: 'strict', description: 'count what the document does not promise as failed' },
  reportFlag,
  { name: 'json', description: 'everything as JSON, in the place of the text' },
  { ...flag('broker-token', 't', 'the token that the broker takes (or PACT_BROKER_TOKEN)'), isSecret: true },
  {
    ...flag(
      'broker-user',
      'user:password',
      'who asks the broker (or PACT_BROKER_USERNAME, PACT_BROKER_PASSWORD)',
      value => (/^[^:]+:/.test(value) ? undefined : 'write user:password'),
    ),
    isSecret: true,
  },
  {
    ...flag(
      'selector',
      's',
      'which consumer versions to verify, as in mainBranch or deployed=prod; several times',
      given => {
        const parsed = parseSelector(given);
        return 'problem' in parsed ? parsed.problem : undefined;
      },
    ),
    repeatable: true,
    separator: '\n',
  },
  { name: 'pending', description: 'verify pending pacts too, whose failures do not count yet' },
  flag('wip-since', 'date', 'verify pacts in progress since then too, as in 2026-01-31', instantFlaw),
  { name: 'publish', description: 'tell the broker what came of it' },
  flag('provider-version', 'v', 'the version that was verified, as in a commit'),
  flag('provider-branch', 'b', 'its branch'),
  { ...flag('provider-tag', 't', 'a tag of it; may be given several times'), repeatable: true },
  flag('build-url', 'url', 'where the build can be looked at', httpFlaw),
];

export interface VerifyCommand {
  readonly words: readonly string[];
  readonly gather: GatherOptions;
  readonly target?: RemoteTarget;
  readonly scenario?: string;
  /** Absent: nothing is published. */
  readonly publish?: PublishOptions;
  readonly isSensitive: boolean;
  readonly isStrict: boolean;
  readonly isJson: boolean;
  readonly reports: Reports;
}

/** What the words and the values of the flags mean; or everything that is wrong with them. */
export function verifyCommand(
  given: readonly string[],
  values: FlagValues,
  env: Environment,
): VerifyCommand | { readonly mistakes: readonly string[] } {
  const words = given.length === 0 && env.PACT_BROKER_BASE_URL ? [env.PACT_BROKER_BASE_URL] : given;
  const isAnyUrl = words.some(word => /^https?:/i.test(word));
  const auth = authOf(values, isAnyUrl ? env : {});
  const mistakes = [
    ...(words.length > 0 ? [] : ['it takes pacts: files, folders, URLs or a broker, as in cwx-fake verify pacts/']),
    ...contradictions(values, isAnyUrl || words.length === 0),
    ...('mistakes' in auth ? auth.mistakes : severalHosts(words, auth)),
  ];
  if (mistakes.length > 0 || 'mistakes' in auth) return { mistakes };
  const publish = publishOptions(values, auth);
  const target = targetOf(values);
  return {
    words,
    gather: gatherOptions(values, auth),
    ...(target !== undefined && { target }),
    ...(typeof values.scenario === 'string' && { scenario: values.scenario }),
    ...(publish !== undefined && { publish }),
    isSensitive: values.sensitivity === true,
    isStrict: values.strict === true,
    isJson: values.json === true,
    reports: reportsIn(values),
  };
}

function contradictions(values: FlagValues, isBrokerPossible: boolean): string[] {
  const given = (name: string) => values[name] !== undefined && values[name] !== false;
  const untargeted = ['control-token', 'state-change-url', 'header'].filter(name => given(name) && !given('target'));
  const unbrokered = ['publish', 'selector'].filter(name => given(name) && !isBrokerPossible);
  return [
    ...untargeted.map(name => `--${name} is about a target, and there is none: add --target http://127.0.0.1:8080`),
    ...(given('control-token') && given('state-change-url')
      ? ['--control-token is about a cwx-fake and --state-change-url about a server that is none: take one of them']
      : []),
    ...unbrokered.map(name => `--${name} is about a broker, and there is none: name its URL among the pacts`),
    ...(given('publish') && !given('provider-version')
      ? [
          '--publish takes the version that was verified: add --provider-version, as in --provider-version $(git rev-parse HEAD)',
        ]
      : []),
  ];
}

/** Credentials are for one host: whatever else is named would get them too. */
function severalHosts(words: readonly string[], { token, basic }: Credentials): string[] {
  if (token === undefined && basic === undefined) return [];
  const hosts = [...new Set(words.filter(word => URL.canParse(word)).map(word => new URL(word).host))].filter(
    host => host !== '',
  );
  if (hosts.length < 2) return [];
  return [`the credentials of the broker would go to ${hosts.join(' and to ')}: verify one of them at a time`];
}

function gatherOptions(values: FlagValues, auth: Credentials): GatherOptions {
  const { pending, 'wip-since': since, 'provider-branch': branch } = values;
  const selectors = listOf(values.selector).flatMap(text => {
    const parsed = parseSelector(text);
    return 'problem' in parsed ? [] : [parsed]; // each has been checked with its flag
  });
  const tags = listOf(values['provider-tag']);
  const providers = listOf(values.provider).flatMap(text => {
    const parsed = parseProvider(text);
    return 'problem' in parsed ? [] : [parsed.name]; // each has been checked with its flag
  });
  return {
    ...(providers.length > 0 && { providers }),
    broker: {
      ...auth,
      selectors,
      includePending: pending === true,
      ...(typeof since === 'string' && { includeWipSince: since }),
      ...(typeof branch === 'string' && { providerBranch: branch }),
      ...(tags.length > 0 && { providerTags: tags }),
    },
  };
}

function publishOptions(values: FlagValues, auth: Credentials): PublishOptions | undefined {
  const { publish, strict, 'provider-version': version, 'provider-branch': branch, 'build-url': buildUrl } = values;
  const tags = listOf(values['provider-tag']);
  if (publish !== true || typeof version !== 'string') return undefined;
  return {
    providerVersion: version,
    ...(typeof branch === 'string' && { branch }),
    ...(tags.length > 0 && { tags }),
    ...(typeof buildUrl === 'string' && { buildUrl }),
    isStrict: strict === true,
    ...auth,
  };
}

function targetOf(values: FlagValues): RemoteTarget | undefined {
  const { target: url, 'control-token': token, 'state-change-url': stateChangeUrl } = values;
  if (typeof url !== 'string') return undefined;
  const headers = listOf(values.header).flatMap(text => {
    const [, name, value] = HEADER.exec(text) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.trim()] as const];
  });
  return {
    url,
    ...(typeof token === 'string' && { token }),
    ...(typeof stateChangeUrl === 'string' && { stateChangeUrl }),
    headers: Object.fromEntries(headers),
  };
}

function listOf(value: FlagValues[string]): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function targetFlaw(value: string): string | undefined {
  const { username = '', password = '' } = URL.canParse(value) ? new URL(value) : {};
  if (username === '' && password === '') return urlFlaw(value);
  return "it takes a URL without credentials: give them with --header 'Authorization: …'";
}

function httpFlaw(value: string): string | undefined {
  const isRight = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isRight ? undefined : 'it takes a URL that begins with http:// or https://';
}

function instantFlaw(value: string): string | undefined {
  const isRight = INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  return isRight ? undefined : 'it takes a date, as in 2026-01-31';
}

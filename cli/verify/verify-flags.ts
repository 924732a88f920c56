// The flags of `cwx-fake verify`, their combination, and the environment variables of Pact's own tools.

import { type Reports, reportFlag, reportsIn } from '../../harness/report/formats.js';
import type { Credentials } from '../../harness/verify/broker/ask.js';
import type { PublishOptions } from '../../harness/verify/broker/publish.js';
import { parseSelector } from '../../harness/verify/broker/selectors.js';
import type { GatherOptions } from '../../harness/verify/gather.js';
import { parseProvider } from '../../harness/verify/pacts/providers.js';
import type { RemoteTarget } from '../../harness/verify/providers/provider.js';
import type { VerifyOptions } from '../../harness/verify/verify.js';
import { parsedUrl } from '../../server/outgoing/parsed-url.js';
import type { Environment } from '../../server/process/command-process.js';
import { accountIn, checkBaseUrl, checkedBy, checkHttpUrl, type Wrong } from '../../server/settings/flag-checks.js';
import { clientCertificateFlags, type Flag, flagsOfServe, targetToken } from '../../server/settings/serve-flags.js';
import { type FlagValues, listOf, parsedBy, textsOf } from '../../server/settings/settings.js';
import { needsTarget } from '../command/command.js';

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[\x21-\x7e\x80-\xff][\x20-\x7e\x80-\xff]*)?)$/;
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

const flag = (
  name: string,
  value: string,
  example: string,
  description: string,
  { check, ...more }: Partial<Flag> = {},
): Flag => ({
  name,
  value,
  example,
  description,
  ...more,
  check: given => (given === '' ? `it must be ${value}` : check?.(given)),
});

export const verifyFlags: readonly Flag[] = [
  flag(
    'provider',
    'name[=api]',
    'push-pull',
    'verify only the pacts of this provider; if its name is neither wiki-extension nor push-pull, add the one it stands for, as in my-wiki=wiki-extension; repeatable',
    { repeatable: true, check: checkedBy(parseProvider) },
  ),
  flag('scenario', 's', 'small-team', 'scenario for interactions without a provider state'),
  flag('target', 'url', 'https://wiki.example.com', 'server to verify; default: a fake in this process', {
    check: given => checkBaseUrl(given, ": give them with --header 'Authorization: …'"),
  }),
  targetToken,
  flag(
    'state-change-url',
    'url',
    'http://127.0.0.1:9000/states',
    'URL that sets up provider states; for a target that is not a cwx-fake',
    { check: checkHttpUrl },
  ),
  flag('header', "'Name: value'", "'X-Tenant: a'", 'header to add to each request to the target; repeatable', {
    repeatable: true,
    separator: '\n',
    isSecret: true,
    check: checkedBy(parseHeader),
  }),
  {
    name: 'yes',
    description: 'change the target without asking first; a sandbox of a cwx-fake is changed without asking',
  },
  ...clientCertificateFlags,
  ...flagsOfServe('profile', 'reading', 'readings'),
  flag('only', 'text', 'adds a member', 'verify only interactions whose description contains this text'),
  flag('state', 'text', 'group exists', 'verify only interactions with a provider state whose name contains this text'),
  flag('consumer', 'text', 'web', 'verify only the pacts of consumers whose name contains this text'),
  {
    name: 'sensitivity',
    description: 'show the result of each interaction under each alternative reading of the gaps it touches',
  },
  { name: 'strict', description: 'fail interactions that expect more than the document promises' },
  reportFlag,
  { name: 'json', description: 'print the results as JSON instead of text' },
  flag('broker-token', 't', '$TOKEN', 'token for the broker; default: PACT_BROKER_TOKEN', { isSecret: true }),
  flag(
    'broker-user',
    'user:password',
    'pact:secret',
    'user and password for the broker; default: PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD',
    { isSecret: true, check: checkedBy(accountIn) },
  ),
  flag('selector', 's', 'deployed=prod', 'consumer versions to verify; repeatable', {
    repeatable: true,
    separator: '\n',
    check: checkedBy(parseSelector),
  }),
  { name: 'pending', description: "include pending pacts; their failures don't count yet" },
  flag('wip-since', 'date', '2026-01-31', 'include work-in-progress pacts since this date', {
    check: instantError,
  }),
  { name: 'publish', description: 'publish the results to the broker' },
  flag('provider-version', 'v', '$(git rev-parse HEAD)', 'version of the provider, usually a commit'),
  flag('provider-branch', 'b', 'main', 'branch of that version'),
  flag('provider-tag', 't', 'prod', 'tag of that version; repeatable', { repeatable: true }),
  flag('build-url', 'url', 'https://ci.example.com/1234', 'URL of the build', { check: checkHttpUrl }),
];

export interface VerifyCommand extends Pick<VerifyOptions, 'target' | 'scenario' | 'isSensitive'> {
  readonly words: readonly string[];
  readonly gather: GatherOptions;
  /** Parts of descriptions, states and consumers; absent: all. */
  readonly selected: { readonly only?: string; readonly state?: string; readonly consumer?: string };
  /** Absent: do not publish. */
  readonly publish?: PublishOptions;
  readonly isStrict: boolean;
  readonly isJson: boolean;
  readonly reports: Reports;
}

/** Interprets the words and the values of the flags, or returns all errors. */
export function verifyCommand(
  given: readonly string[],
  values: FlagValues,
  env: Environment,
): VerifyCommand | { readonly errors: readonly string[] } {
  const words = given.length === 0 && env.PACT_BROKER_BASE_URL ? [env.PACT_BROKER_BASE_URL] : given;
  const isAnyUrl = words.some(word => /^https?:/i.test(word));
  const auth = authOf(values, isAnyUrl ? env : {});
  const errors = [
    ...(words.length > 0
      ? []
      : ['missing pacts: give files, folders, URLs or a broker. Example: cwx-fake verify pacts/']),
    ...contradictions(values, isAnyUrl || words.length === 0),
    ...('errors' in auth ? auth.errors : severalHosts(words, auth)),
  ];
  if (errors.length > 0 || 'errors' in auth) return { errors };
  const publish = publishOptions(values, auth);
  const target = targetOf(values);
  return {
    words,
    gather: gatherOptions(values, auth),
    ...(target !== undefined && { target }),
    ...textsOf(values, { scenario: 'scenario' }),
    ...(publish !== undefined && { publish }),
    selected: textsOf(values, { only: 'only', state: 'state', consumer: 'consumer' }),
    isSensitive: values.sensitivity === true,
    isStrict: values.strict === true,
    isJson: values.json === true,
    reports: reportsIn(values),
  };
}

function contradictions(values: FlagValues, isBrokerPossible: boolean): string[] {
  const given = (name: string) => values[name] !== undefined && values[name] !== false;
  const untargeted = ['control-token', 'state-change-url', 'header', 'yes'].filter(
    name => given(name) && !given('target'),
  );
  const partial = ['only', 'state'].filter(name => given(name) && given('publish'));
  const unbrokered = ['publish', 'selector'].filter(name => given(name) && !isBrokerPossible);
  return [
    ...untargeted.map(needsTarget),
    ...(given('control-token') && given('state-change-url')
      ? [
          '--control-token and --state-change-url cannot be combined: the first is for a cwx-fake, the second for other servers',
        ]
      : []),
    ...(parsedBy(parseSelector, values.selector).some(({ matchingBranch }) => matchingBranch) &&
    !given('provider-branch')
      ? ['the selector matchingBranch requires --provider-branch']
      : []),
    ...partial.map(
      name => `--${name} and --publish cannot be combined: the broker expects the result of the whole pact`,
    ),
    ...unbrokered.map(name => `--${name} requires a broker: give the broker's URL in place of pact files`),
    ...(given('publish') && !given('provider-version')
      ? ['--publish requires --provider-version, as in --provider-version $(git rev-parse HEAD)']
      : []),
  ];
}

/** Credentials are for one host: any other named host would get them too. */
function severalHosts(words: readonly string[], { token, basic }: Credentials): string[] {
  if (token === undefined && basic === undefined) return [];
  const hosts = [...new Set(words.map(word => parsedUrl(word)?.host ?? ''))].filter(host => host !== '');
  if (hosts.length < 2) return [];
  return [`the broker's credentials would be sent to ${hosts.join(' and ')}: verify one host at a time`];
}

/** The credentials for the broker, possibly none; or all errors, which never contain them. */
function authOf(values: FlagValues, env: Environment): Credentials | { readonly errors: readonly string[] } {
  const { 'broker-token': token, 'broker-user': user } = values;
  if (typeof token === 'string' && typeof user === 'string')
    return { errors: ['--broker-token and --broker-user cannot be combined'] };
  if (typeof token === 'string') return { token };
  const [basic] = parsedBy(accountIn, user);
  return basic === undefined ? authFrom(env) : { basic };
}

function authFrom(env: Environment): Credentials | { readonly errors: readonly string[] } {
  const { PACT_BROKER_TOKEN: token = '', PACT_BROKER_USERNAME: user = '', PACT_BROKER_PASSWORD: password = '' } = env;
  if (token !== '' && user !== '') return { errors: ['PACT_BROKER_TOKEN and PACT_BROKER_USERNAME cannot be combined'] };
  if (token !== '') return { token };
  if (user === '' && password === '') return {};
  if (user !== '' && password !== '') return { basic: { user, password } };
  const [set, missing] = user === '' ? ['PASSWORD', 'USERNAME'] : ['USERNAME', 'PASSWORD'];
  return { errors: [`PACT_BROKER_${set} is set, but PACT_BROKER_${missing} is not: set both, or PACT_BROKER_TOKEN`] };
}

function gatherOptions(values: FlagValues, auth: Credentials): GatherOptions {
  const tags = listOf(values['provider-tag']);
  const providers = parsedBy(parseProvider, values.provider).map(({ name }) => name);
  return {
    ...(providers.length > 0 && { providers }),
    broker: {
      ...auth,
      selectors: parsedBy(parseSelector, values.selector),
      includePending: values.pending === true,
      ...textsOf(values, { includeWipSince: 'wip-since', providerBranch: 'provider-branch' }),
      ...(tags.length > 0 && { providerTags: tags }),
    },
  };
}

function publishOptions(values: FlagValues, auth: Credentials): PublishOptions | undefined {
  const { publish, strict, 'provider-version': version } = values;
  const tags = listOf(values['provider-tag']);
  if (publish !== true || typeof version !== 'string') return undefined;
  return {
    providerVersion: version,
    ...textsOf(values, { branch: 'provider-branch', buildUrl: 'build-url' }),
    ...(tags.length > 0 && { tags }),
    isStrict: strict === true,
    ...auth,
  };
}

function targetOf(values: FlagValues): RemoteTarget | undefined {
  const { target: url } = values;
  if (typeof url !== 'string') return undefined;
  return {
    url,
    ...textsOf(values, { token: 'control-token', stateChangeUrl: 'state-change-url' }),
    headers: Object.fromEntries(parsedBy(parseHeader, values.header)),
  };
}

/** Parses `Name: value`. */
function parseHeader(text: string): readonly [name: string, value: string] | Wrong {
  const [, name, value] = HEADER.exec(text) ?? [];
  return name === undefined || value === undefined
    ? { problem: "it must have the form 'Name: value'" }
    : [name, value.trim()];
}

function instantError(value: string): string | undefined {
  const isRight = INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  return isRight ? undefined : 'it must be a date such as 2026-01-31';
}

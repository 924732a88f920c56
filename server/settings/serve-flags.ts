// The flags of `serve`, one row for each: settings, environment variables, help and the library's options are derived from them.
import { checkReadings, profileProblem } from '../engine/request/readings.js';
import { profileNames } from '../operations/gaps/profiles.js';
import {
  checkBaseUrl,
  checkFolder,
  checkHostName,
  checkListenAddress,
  checkOneOf,
  checkOrigin,
  checkStore,
  checkToken,
  choice,
  wholeNumber,
} from './flag-checks.js';

export interface Flag {
  readonly name: string;
  /** Placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
  readonly default?: string;
  /** A value for the help, if there is no default. */
  readonly example?: string;
  readonly repeatable?: true;
  /** Separator of several values in the environment variable; default: a comma. */
  readonly separator?: string;
  /** Whether a value may be a secret, so that messages do not repeat it. */
  readonly isSecret?: true;
  /** Returns the error of a value, if any. */
  readonly check?: (value: string) => string | undefined;
  /** Whether the value is a number. */
  readonly isNumber?: true;
  /** What the values mean in settings. */
  readonly choices?: Readonly<Record<string, string | boolean>>;
  /** The name of the setting, and of the option in the library. Default: the name in camel case. */
  readonly setting?: string;
}

/** The flags of every command that sends requests to a server that may ask for a certificate. */
export const clientCertificateFlags: readonly Flag[] = [
  {
    name: 'client-cert',
    value: 'file',
    description: 'PEM client certificate for outgoing requests; needs --client-key',
    example: 'client.pem',
  },
  { name: 'client-key', value: 'file', description: 'PEM private key for --client-cert', example: 'client-key.pem' },
];

export const serveFlags: readonly Flag[] = [
  {
    name: 'port',
    value: 'n',
    description: 'the port; 0 picks a free one',
    default: '8080',
    ...wholeNumber(0, 65_535),
  },
  {
    name: 'host',
    value: 'address',
    description: 'the address to listen on',
    default: '127.0.0.1',
    check: checkListenAddress,
  },
  {
    name: 'profile',
    value: profileNames.join('|'),
    description: 'a profile of readings; individual readings take precedence',
    check: profileProblem,
  },
  {
    name: 'reading',
    value: 'gap=value',
    description: 'choose the reading of a gap; repeatable',
    example: 'unknown-user=400',
    repeatable: true,
    check: reading,
  },
  { name: 'readings', value: 'file.yaml', description: 'choose readings from a file', example: 'readings.yaml' },
  { name: 'watch', description: 'reload the scenario when its files change' },
  { name: 'open', description: 'open the dashboard in a browser' },
  {
    name: 'store',
    value: 'memory|file:dir|redis://…',
    description: 'where to keep sandboxes: in memory, in a folder, or in a shared Redis',
    default: 'memory',
    isSecret: true,
    check: checkStore,
  },
  {
    name: 'fsync',
    description: 'sync each change to disk before responding, to survive a power failure; only for a store in a folder',
  },
  {
    name: 'store-timeout',
    value: 's',
    description: 'seconds to wait at startup for an unreachable store',
    default: '30',
    ...wholeNumber(1, 86_400),
  },
  {
    name: 'fixtures',
    value: 'dir',
    description: 'folder to search first for fixtures',
    example: 'test/fixtures',
    check: checkFolder,
  },
  {
    name: 'scenarios',
    value: 'dir',
    description: 'folder to search first for scenarios',
    example: 'test/scenarios',
    check: checkFolder,
  },
  {
    name: 'journal',
    value: 'n',
    description: 'number of journal entries to keep for each sandbox',
    default: '1000',
    ...wholeNumber(0, 1_000_000),
  },
  {
    name: 'max-sandboxes',
    value: 'n',
    description: 'maximum number of sandboxes in memory; the longest-idle one is removed first',
    default: '10000',
    ...wholeNumber(1, 1_000_000),
  },
  {
    name: 'max-memory',
    value: 'MiB',
    description: 'memory limit for all sandboxes; beyond it, the longest-idle ones are removed',
    default: '256',
    ...wholeNumber(1, 1_048_576),
  },
  {
    name: 'max-sandbox',
    value: 'n',
    description: "maximum number of records of a sandbox beyond its scenario's",
    default: '200000',
    ...wholeNumber(1, 10_000_000),
  },
  {
    name: 'sandbox-ttl',
    value: 's',
    description: 'seconds after which an idle sandbox expires',
    default: '3600',
    ...wholeNumber(1, 31_536_000),
  },
  {
    name: 'sandboxes',
    setting: 'createOnUse',
    description: 'whether a request to an unknown sandbox creates it',
    default: 'auto',
    ...choice({ auto: true, explicit: false }),
  },
  {
    name: 'control',
    description: 'whether to serve the control API; open requires no token, even on addresses other than loopback',
    default: 'on',
    ...choice({ on: true, off: false, open: 'open' }),
  },
  {
    name: 'rest-api',
    description: 'whether to serve the REST APIs of Confluence and Jira, at paths such as /rest/api/space',
    default: 'on',
    ...choice({ on: true, off: false }),
  },
  {
    name: 'fallback',
    value: 'url',
    description: 'forward requests that match no operation and no REST resource to this server',
    example: 'http://127.0.0.1:9090',
    check: value => checkBaseUrl(value),
  },
  {
    name: 'fallback-timeout',
    value: 's',
    description: "seconds to wait for the fallback's response to start, and for each further part of it",
    default: '30',
    ...wholeNumber(1, 3600),
  },
  {
    name: 'no-rewrite',
    setting: 'rewrite',
    description: "leave redirects, cookies and links in the fallback's responses unchanged",
  },
  ...clientCertificateFlags,
  {
    name: 'control-token',
    value: 't',
    description: 'token for the control API; generated if --host is not a loopback address',
    example: '$(openssl rand -hex 16)',
    isSecret: true,
    check: checkToken,
  },
  {
    name: 'allow-host',
    setting: 'allowedHosts',
    value: 'name',
    description: 'additional host name to allow; "any" allows all; repeatable',
    example: 'wiki.test',
    repeatable: true,
    check: checkHostName,
  },
  {
    name: 'base-url',
    value: 'url',
    description: 'the URL at which clients reach the fake through a proxy',
    example: 'https://wiki.example.com/fake',
    check: value => checkBaseUrl(value),
  },
  {
    name: 'trust-proxy',
    description: 'derive links from the headers Forwarded, X-Forwarded-Proto, -Host, -Port and -Prefix',
  },
  {
    name: 'cors',
    value: 'origin',
    description: 'let browser pages call operations if they come from this origin; repeatable',
    example: 'http://localhost:3000',
    repeatable: true,
    check: checkOrigin,
  },
  {
    name: 'max-body',
    value: 'bytes',
    description: 'maximum size of a request body in bytes',
    default: '1048576',
    ...wholeNumber(1, 1_073_741_824),
  },
  {
    name: 'request-timeout',
    value: 's',
    description: 'seconds within which a request must arrive; 0: no limit',
    default: '60',
    ...wholeNumber(0, 86_400),
  },
  {
    name: 'headers-timeout',
    value: 's',
    description: 'seconds within which the headers of a request must arrive; 0: no limit',
    default: '20',
    ...wholeNumber(0, 86_400),
  },
  {
    name: 'max-connections',
    value: 'n',
    description: 'maximum number of connections; further ones are closed; 0: no limit',
    default: '16384',
    ...wholeNumber(0, 1_000_000),
  },
  {
    name: 'coverage',
    value: 'dir',
    description: 'write the covered rules and gaps to a file in this folder; cwx-fake coverage reads it',
    example: './coverage',
  },
  {
    name: 'tls',
    description: 'serve HTTPS with a new self-signed certificate, and print the path of its file',
  },
  { name: 'tls-cert', value: 'file.pem', description: 'serve HTTPS with this certificate', example: 'cert.pem' },
  { name: 'tls-key', value: 'file.pem', description: 'private key for --tls-cert', example: 'key.pem' },
  { name: 'no-explain', setting: 'explain', description: 'omit the headers that explain a response' },
  {
    name: 'log',
    value: 'pretty|json|silent',
    description: 'log format on standard error; pretty shows requests only in a terminal',
    default: 'pretty',
    check: checkOneOf('pretty', 'json', 'silent'),
  },
];

/** Those of the settings that take one value from one flag. */
export const settingFlags = serveFlags.filter(
  ({ name }) => !['reading', 'readings', 'client-cert', 'client-key'].includes(name),
);

/** Flags of `serve` that other commands take too, in their order there. */
export function flagsOfServe(...names: readonly string[]): Flag[] {
  return serveFlags.filter(({ name }) => names.includes(name));
}

/** The same, by name, with what they mean there. */
export function flagsOfServeMeaning(descriptions: Readonly<Record<string, string>>): Flag[] {
  return flagsOfServe(...Object.keys(descriptions)).map(flag => ({
    ...flag,
    description: descriptions[flag.name] ?? flag.description,
  }));
}

/** The flag of every command that steers a fake elsewhere. */
export const targetToken: Flag = {
  name: 'control-token',
  value: 't',
  description: "token for the fake's control API; needed only if the fake requires one",
  example: '$TOKEN',
  isSecret: true,
};

function reading(value: string): string | undefined {
  if (!value.includes('=')) return 'it must be gap=value, as in unknown-user=400';
  const checked = checkReadings([pairOf(value)]);
  return 'problem' in checked ? checked.problem : undefined;
}

export function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

// The flags of `serve`, one row for each: settings, environment variables, help and the library's options are derived from them.
import { checkReadings, profileProblem } from '../engine/request/readings.js';
import { profileNames } from '../operations/gaps/profiles.js';
import {
  checkBaseUrl,
  checkFolder,
  checkHostName,
  checkListenAddress,
  checkOrigin,
  checkOutputFolder,
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
}

interface Row extends Omit<Flag, 'name'> {
  /** The name of the flag, if it is not the name of the row with hyphens. */
  readonly flag?: string;
  /** Whether its value becomes the setting of the same name. Default: true. */
  readonly isSetting?: boolean;
  /** Which programs have it as an option. Default: `startFake` and `createFake`. */
  readonly program?: 'startFake' | 'none';
}

const clientCertificateRows = {
  clientCert: {
    isSetting: false,
    value: 'file',
    description: 'PEM client certificate for outgoing requests; needs --client-key',
    example: 'client.pem',
  },
  clientKey: {
    isSetting: false,
    value: 'file',
    description: 'PEM private key for --client-cert',
    example: 'client-key.pem',
  },
} as const satisfies Readonly<Record<string, Row>>;

/** By the setting that follows from each. */
const rows = {
  port: {
    program: 'startFake',
    value: 'n',
    description: 'the port; 0 picks a free one',
    default: '8080',
    ...wholeNumber(0, 65_535),
  },
  host: {
    program: 'startFake',
    value: 'address',
    description: 'the address to listen on',
    default: '127.0.0.1',
    check: checkListenAddress,
  },
  profile: {
    value: profileNames.join('|'),
    description: 'a profile of readings; individual readings take precedence',
    check: profileProblem,
  },
  reading: {
    isSetting: false,
    value: 'gap=value',
    description: 'choose the reading of a gap; repeatable',
    example: 'unknown-user=400',
    repeatable: true,
    check: reading,
  },
  readings: {
    isSetting: false,
    value: 'file.yaml',
    description: 'choose readings from a file',
    example: 'readings.yaml',
  },
  watch: {
    program: 'none',
    description: 'reload the scenario when its files change',
  },
  open: {
    program: 'none',
    description: 'open the dashboard in a browser',
  },
  /** `memory`, `file:` and a folder, or the URL of a Redis. */
  store: {
    value: 'memory|file:dir|redis://…',
    description: 'where to keep sandboxes: in memory, in a folder, or in a shared Redis',
    default: 'memory',
    isSecret: true,
    check: checkStore,
  },
  fsync: {
    description: 'sync each change to disk before responding, to survive a power failure; only for a store in a folder',
  },
  /** Seconds. */
  storeTimeout: {
    value: 's',
    description: 'seconds to wait at startup for an unreachable store',
    default: '30',
    ...wholeNumber(1, 86_400),
  },
  fixtures: {
    value: 'dir',
    description: 'folder to search first for fixtures',
    example: 'test/fixtures',
    check: checkFolder,
  },
  scenarios: {
    value: 'dir',
    description: 'folder to search first for scenarios',
    example: 'test/scenarios',
    check: checkFolder,
  },
  journal: {
    value: 'n',
    description: 'number of journal entries to keep for each sandbox',
    default: '1000',
    ...wholeNumber(0, 1_000_000),
  },
  maxSandboxes: {
    value: 'n',
    description: 'maximum number of sandboxes in memory; the longest-idle one is removed first',
    default: '10000',
    ...wholeNumber(1, 1_000_000),
  },
  /** MiB. */
  maxMemory: {
    value: 'MiB',
    description: 'memory limit for all sandboxes; beyond it, the longest-idle ones are removed',
    default: '256',
    ...wholeNumber(1, 1_048_576),
  },
  maxSandbox: {
    value: 'n',
    description: "maximum number of records of a sandbox beyond its scenario's",
    default: '200000',
    ...wholeNumber(1, 10_000_000),
  },
  /** Seconds. */
  sandboxTtl: {
    value: 's',
    description: 'seconds after which an idle sandbox expires',
    default: '3600',
    ...wholeNumber(1, 31_536_000),
  },
  createOnUse: {
    flag: 'sandboxes',
    description: 'whether a request to an unknown sandbox creates it',
    default: 'auto',
    ...choice({ auto: true, explicit: false }),
  },
  /** `open`: no token is needed beyond loopback, unless one is given. */
  control: {
    description: 'whether to serve the control API; open requires no token, even on addresses other than loopback',
    default: 'on',
    ...choice({ on: true, off: false, open: 'open' }),
  },
  restApi: {
    description: 'whether to serve the REST APIs of Confluence and Jira, at paths such as /rest/api/space',
    default: 'on',
    ...choice({ on: true, off: false }),
  },
  fallback: {
    program: 'startFake',
    value: 'url',
    description: 'forward requests that match no operation and no REST resource to this server',
    example: 'http://127.0.0.1:9090',
    check: value => checkBaseUrl(value),
  },
  /** Seconds. */
  fallbackTimeout: {
    program: 'startFake',
    value: 's',
    description: "seconds to wait for the fallback's response to start, and for each further part of it",
    default: '30',
    ...wholeNumber(1, 3600),
  },
  rewrite: {
    flag: 'no-rewrite',
    program: 'startFake',
    description: "leave redirects, cookies and links in the fallback's responses unchanged",
  },
  ...clientCertificateRows,
  controlToken: {
    value: 't',
    description: 'token for the control API; generated if --host is not a loopback address',
    example: '$(openssl rand -hex 16)',
    isSecret: true,
    check: checkToken,
  },
  /** Names without a port; `any`: every host. */
  allowedHosts: {
    flag: 'allow-host',
    value: 'name',
    description: 'additional host name to allow; "any" allows all; repeatable',
    example: 'wiki.test',
    repeatable: true,
    check: checkHostName,
  },
  /** The URL by which clients reach the fake behind a proxy, without a trailing slash. Default: from the request. */
  baseUrl: {
    value: 'url',
    description: 'the URL at which clients reach the fake through a proxy',
    example: 'https://wiki.example.com/fake',
    check: value => checkBaseUrl(value),
  },
  /** Whether `Forwarded` and `X-Forwarded-*` determine the URLs of links. */
  trustProxy: {
    program: 'startFake',
    description: 'derive links from the headers Forwarded, X-Forwarded-Proto, -Host, -Port and -Prefix',
  },
  /** Origins as browsers send them. */
  cors: {
    value: 'origin',
    description: 'let browser pages call operations if they come from this origin; repeatable',
    example: 'http://localhost:3000',
    repeatable: true,
    check: checkOrigin,
  },
  /** Bytes. */
  maxBody: {
    value: 'bytes',
    description: 'maximum size of a request body in bytes',
    default: '1048576',
    ...wholeNumber(1, 1_073_741_824),
  },
  /** Seconds; 0: no limit. */
  requestTimeout: {
    program: 'startFake',
    value: 's',
    description: 'seconds within which a request must arrive; 0: no limit',
    default: '60',
    ...wholeNumber(0, 86_400),
  },
  /** Seconds; 0: no limit. */
  headersTimeout: {
    program: 'startFake',
    value: 's',
    description: 'seconds within which the headers of a request must arrive; 0: no limit',
    default: '20',
    ...wholeNumber(0, 86_400),
  },
  /** 0: no limit. */
  maxConnections: {
    program: 'startFake',
    value: 'n',
    description: 'maximum number of connections; further ones are closed; 0: no limit',
    default: '16384',
    ...wholeNumber(0, 1_000_000),
  },
  coverage: {
    value: 'dir',
    description: 'write the covered rules and gaps to a file in this folder; cwx-fake coverage reads it',
    example: './coverage',
    check: checkOutputFolder,
  },
  /** With a certificate of this run unless `tlsCert` is given. */
  tls: {
    program: 'startFake',
    description: 'serve HTTPS with a new self-signed certificate, and print the path of its file',
  },
  /** A file in PEM. */
  tlsCert: {
    program: 'startFake',
    value: 'file.pem',
    description: 'serve HTTPS with this certificate',
    example: 'cert.pem',
  },
  /** A file in PEM. */
  tlsKey: {
    program: 'startFake',
    value: 'file.pem',
    description: 'private key for --tls-cert',
    example: 'key.pem',
  },
  explain: {
    flag: 'no-explain',
    description: 'omit the headers that explain a response',
  },
  log: {
    description: 'log format on standard error; pretty shows requests only in a terminal',
    default: 'pretty',
    ...choice({ pretty: 'pretty', json: 'json', silent: 'silent' }),
  },
} as const satisfies Readonly<Record<string, Row>>;

type Rows = typeof rows;
type RowName = keyof Rows;
type SettingName = { [K in RowName]: Rows[K] extends { isSetting: false } ? never : K }[RowName];

type ValueOf<R> = R extends { choices: infer Choices }
  ? Choices[keyof Choices]
  : R extends { repeatable: true }
    ? readonly string[]
    : R extends { isNumber: true }
      ? number
      : R extends { value: string }
        ? string
        : boolean;

/** Settings that are present without their flag too: by a default, as an empty list, or as a switch. */
type Present = {
  [K in SettingName]: Rows[K] extends { default: string } | { repeatable: true }
    ? K
    : Rows[K] extends { value: string }
      ? never
      : K;
}[SettingName];

/** The settings of the flags. */
export type FlagSettings = { readonly [K in keyof Rows as K extends Present ? K : never]: ValueOf<Rows[K]> } & {
  readonly [K in keyof Rows as K extends Exclude<SettingName, Present> ? K : never]?: ValueOf<Rows[K]>;
};

/** The settings that are options of both `startFake` and `createFake`, and of `startFake` alone. */
export type SharedOption = { [K in SettingName]: Rows[K] extends { program: string } ? never : K }[SettingName];
export type ServedOption = {
  [K in SettingName]: Rows[K] extends { program: 'startFake' } ? K : never;
}[SettingName];

export const serveFlags = flagsOf(rows);

/** Flags of every command that sends requests to a server that may ask for a certificate. */
export const clientCertificateFlags: readonly Flag[] = flagsOf(clientCertificateRows);

/** Flags whose value is a setting of its own. */
export const settingFlags = serveFlags.filter(({ isSetting }) => isSetting !== false);

/** `store-timeout` for the row `storeTimeout`. */
function flagsOf(some: Readonly<Record<string, Row>>): Array<Flag & Row & { readonly setting: string }> {
  return Object.entries(some).map(([setting, row]) => ({
    ...row,
    setting,
    name: row.flag ?? setting.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
  }));
}

/** Flags of `serve` that other commands take too, in their order there. */
export function flagsOfServe(...names: readonly string[]): Flag[] {
  return serveFlags.filter(({ name }) => names.includes(name));
}

/** Flags of `serve` by name, with the description that another command needs. */
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

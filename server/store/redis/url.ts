// Parses the URL of a Redis store, or reports its errors. Does not load the client, because settings are checked with it too.
import { unescape as decoded } from 'node:querystring';
import { expectedOf, nearest } from '../../engine/nearest.js';
import { StoreError } from '../../engine/store.js';

export interface RedisAddress {
  /** One server, some nodes of a Cluster, or some Sentinels. */
  readonly kind: 'server' | 'cluster' | 'sentinel';
  readonly hosts: readonly HostPort[];
  /** The name of the master that Sentinels watch. */
  readonly master?: string;
  readonly user?: string;
  readonly password?: string;
  readonly database: number;
  readonly prefix: string;
  /** With TLS: `ca`, `cert` and `key` are paths of PEM files, `servername` is the name in the server's certificate, `insecure=true` accepts any. */
  readonly tls?: Readonly<Record<string, string>>;
  /** The hosts, with what follows them. */
  readonly where: string;
  /** The URL without credentials and files. */
  readonly shown: string;
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const SCHEMES = ['redis', 'rediss', 'redis+cluster', 'rediss+cluster', 'redis+sentinel', 'rediss+sentinel'];
const TLS_SETTINGS = ['ca', 'cert', 'key', 'servername', 'insecure'];
const PARTS = /^([^:/]*):\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const DEFAULT_PORTS = { server: 6379, cluster: 6379, sentinel: 26379 };

/** The error in a URL, without its credentials; `undefined`: none. */
export function checkRedisUrl(url: string): string | undefined {
  try {
    readRedisUrl(url);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

/** The parsed URL. Throws a `StoreError` that does not show its credentials. */
export function readRedisUrl(url: string): RedisAddress {
  const [, scheme = '', credentials, hostList = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  if (scheme === '' && hostList === '')
    throw invalid(
      'expected redis://host:port, rediss://… (TLS), redis+cluster://host:port,host:port, or redis+sentinel://host:port/name',
    );
  if (!SCHEMES.includes(scheme))
    throw invalid(`unsupported scheme ${JSON.stringify(scheme)}${nearest(scheme, SCHEMES)}: ${expectedOf(SCHEMES)}`);
  const kind = (scheme.split('+')[1] ?? 'server') as RedisAddress['kind']; // the schemes have no other
  const hosts = readHosts(hostList, kind);
  const place = readPath(path, kind);
  const settings = readQuery(query, scheme.startsWith('rediss'));
  const where = path === '' ? hostList : `${hostList}/${path}`;
  const shown = `${scheme}://${where}${settings.prefix === 'cwx' ? '' : `?prefix=${settings.prefix}`}`;
  return { kind, hosts, ...place, ...readCredentials(credentials), ...settings, where, shown };
}

function invalid(why: string): StoreError {
  return new StoreError('refused', why);
}

function readHosts(list: string, kind: RedisAddress['kind']): HostPort[] {
  const written = list.split(',');
  if (kind === 'server' && written.length > 1)
    throw invalid('several hosts are allowed only with redis+cluster://, redis+sentinel:// and their rediss forms');
  const hosts: HostPort[] = [];
  for (const [i, one] of written.entries()) {
    const place = kind === 'server' ? 'the host' : `host ${i + 1}`; // not shown: it may contain a password, if the @ was forgotten
    const [, bracketed, plain = '', port = DEFAULT_PORTS[kind]] =
      /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+))(?::(\d+))?$/.exec(one) ?? [];
    const host = bracketed ?? plain;
    if (host === '') throw invalid(`${place} is invalid: expected host:port, such as 127.0.0.1:6379 or [::1]:6379`);
    if (Number(port) < 1 || Number(port) > 65535)
      throw invalid(`the port of ${place} must be a number from 1 to 65535`);
    hosts.push({ host, port: Number(port) });
  }
  return hosts;
}

function readPath(path: string, kind: RedisAddress['kind']): { database: number; master?: string } {
  if (kind === 'sentinel' && !/^[\w.-]+$/.test(path))
    throw invalid(
      'expected the name of the master after the Sentinels, such as redis+sentinel://127.0.0.1:26379/mymaster',
    );
  if (kind === 'sentinel') return { database: 0, master: path };
  if (kind === 'cluster' && path !== '') throw invalid(`a Cluster has only one database: omit /${path}`);
  if (!/^\d{0,5}$/.test(path)) throw invalid(`/${path} is not a database number: expected a whole number, such as /0`);
  return { database: Number(path) };
}

function readCredentials(written: string | undefined): { user?: string; password?: string } {
  if (written === undefined) return {};
  const colon = written.indexOf(':');
  const [user, password] = [written.slice(0, colon), written.slice(colon + 1)];
  if (colon === -1 || password === '')
    throw invalid('the user has no password: expected user:password@host, or :password@host');
  return { ...(user !== '' && { user: decoded(user) }), password: decoded(password) };
}

function readQuery(query: string, isTls: boolean): Pick<RedisAddress, 'prefix' | 'tls'> {
  const given = new Map(new URLSearchParams(query));
  const known = isTls ? ['prefix', ...TLS_SETTINGS] : ['prefix'];
  for (const [name, value] of given) {
    if (!isTls && TLS_SETTINGS.includes(name))
      throw invalid(`the setting ${JSON.stringify(name)} works only with TLS: rediss://`);
    if (!known.includes(name))
      throw invalid(`unknown setting ${JSON.stringify(name)}${nearest(name, known)}: ${expectedOf(known)}`);
    if (value === '') throw invalid(`the setting ${JSON.stringify(name)} is empty`);
  }
  const { prefix = 'cwx', ...tls } = Object.fromEntries(given);
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(prefix))
    throw invalid('the prefix must be 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens');
  if (!/^(true|false)$/.test(tls.insecure ?? 'true')) throw invalid('insecure must be true or false');
  if ((tls.cert === undefined) !== (tls.key === undefined)) throw invalid('cert and key must be given together');
  return isTls ? { prefix, tls } : { prefix };
}

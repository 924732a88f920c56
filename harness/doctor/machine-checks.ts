// Checks of the machine: Node.js, memory, proxy variables, the port, the server of `--fallback`, scenario files.

import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { redactUrl } from '../../server/engine/secrets.js';
import { connection } from '../../server/library/port/http-connection.js';
import { isExcepted, proxyFor } from '../../server/outgoing/through-proxy.js';
import { listenFailure } from '../../server/process/listen-failure.js';
import { packageManifest } from '../../server/process/package.js';
import { BadCertificate, tlsCredentials } from '../../server/process/tls-credentials.js';
import { yamlFilesIn } from '../../server/scenario/files/folders.js';
import { checkFile } from '../../server/scenario/load/load.js';
import type { RawResponse, Unreachable } from '../../server/scenario/play/target.js';
import { isProblems, showProblem } from '../../server/scenario/yaml/problem.js';
import { type SetupCheck, type SetupProblem, sentence } from './check.js';
import { addressOf, type Setup } from './doctor-setup.js';

const [LEAST_NODE = ''] = /(?<!\d)\d+\.\d+/.exec(packageManifest().engines.node) ?? [];
/** MiB of the process, besides twice `--max-memory`. */
const BASE_MEMORY = 400;

const memoryNeeded = ({ maxMemory }: Setup['settings']) => 2 * maxMemory + BASE_MEMORY;
/** Milliseconds to wait for a response. */
const PATIENCE_MS = 5_000;

const variables = (...kinds: readonly string[]) =>
  kinds.flatMap(kind => [`${kind}_proxy`, `${kind.toUpperCase()}_PROXY`]);

export const machineChecks: ReadonlyArray<SetupCheck<Setup>> = [
  {
    name: 'node',
    fix: `Install Node.js ${LEAST_NODE} or later.`,
    shows: ({ machine }) => machine.nodeVersion,
    problems: ({ machine: { nodeVersion } }) =>
      nodeVersion.localeCompare(LEAST_NODE, 'en', { numeric: true }) < 0 && `Node.js ${nodeVersion} is too old.`,
  },
  {
    name: 'max-memory',
    fix: ({ settings, machine: { memory } }) =>
      memory > BASE_MEMORY + 1
        ? `Use --max-memory ${Math.floor((memory - BASE_MEMORY) / 2)} or less, or raise the limit of the container or of the heap (NODE_OPTIONS=--max-old-space-size=…).`
        : `Give the container or the heap at least ${memoryNeeded(settings)} MiB.`,
    shows: ({ settings, machine: { memory } }) => `${settings.maxMemory} of ${memory} MiB`,
    problems: ({ settings, machine: { memory } }) =>
      memoryNeeded(settings) > memory &&
      `--max-memory ${settings.maxMemory} needs ${memoryNeeded(settings)} MiB in all, but only ${memory} MiB are available to the process.`,
  },
  {
    name: 'proxy',
    level: 'warning',
    shows: ({ machine: { env }, settings: { fallback } }) => {
      const proxy = fallback === undefined ? undefined : proxyFor(new URL(fallback));
      if (proxy !== undefined) return `requests to ${fallback} go through ${redactUrl(proxy)}`;
      return variables('http', 'https', 'all').find(name => env[name]) ?? 'none';
    },
    fix: setup => `Set NO_PROXY=${[...new Set([addressOf(setup).host, 'localhost', '127.0.0.1'])].join(',')}.`,
    problems: setup => {
      const { scheme, host, url } = addressOf(setup);
      const { env } = setup.machine;
      const name = variables(scheme, 'all').find(other => env[other]);
      if (name === undefined || isExcepted(new URL(url), env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
      return `${name} is set and NO_PROXY does not include ${host}, so clients may send requests for the fake to the proxy.`;
    },
  },
  {
    name: 'port',
    shows: ({ settings }) => `${settings.host}:${settings.port}`,
    fix: setup =>
      `Choose another with --port. If a fake is already running there, check it with cwx-fake doctor --target ${addressOf(setup).url}`,
    problems: async ({ settings }) => {
      const server = createServer();
      try {
        await once(server.listen(settings.port, settings.host), 'listening');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const { problem, fix } = listenFailure(error as NodeJS.ErrnoException, settings);
        const message = sentence(problem);
        return code === 'EADDRINUSE' ? message : { message, fix: sentence(fix) };
      }
      server.close();
      await once(server, 'close');
      return undefined;
    },
  },
  {
    name: 'fallback',
    fix: 'Start that server, or correct --fallback.',
    concerns: ({ settings }) => settings.fallback !== undefined,
    problems: ({ settings: { fallback: url = '' } }) =>
      get(url, '/').then(
        () => undefined,
        (error: Unreachable) => `${error.message}.`,
      ),
  },
];

/** Gets a path below a URL. Rejects with `Unreachable`. */
export async function get(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const { send, close } = connection(url, undefined, PATIENCE_MS);
  return send({ method: 'GET', path, headers }).finally(close);
}

/** Before its end, a certificate is reported for this long. */
const NOTICE_MS = 14 * 86_400_000;

export const fileChecks: ReadonlyArray<SetupCheck<Setup>> = [
  {
    name: 'scenario',
    fix: 'Correct the file or its name. cwx-fake check reports all errors of a file or folder.',
    shows: ({ settings }) => settings.scenario,
    problems: ({ settings, folders, loaded, readings }) => {
      const given = (['scenarios', 'fixtures'] as const).filter(kind => settings[kind] !== undefined);
      const files = given.flatMap(kind => yamlFilesIn(folders[kind][0] ?? ''));
      const own = [loaded, readings].flatMap(read => (isProblems(read) ? read.problems : []));
      return [...new Set([...own, ...files.flatMap(file => checkFile(file, folders))].map(showProblem))];
    },
  },
  {
    name: 'certificate',
    fix: 'Renew or correct the files of --tls-cert and --tls-key (PEM), or use --tls for a self-signed certificate.',
    concerns: ({ settings }) => settings.tlsCert !== undefined,
    problems: ({ settings }) => {
      try {
        return wrongDate(new X509Certificate(tlsCredentials(settings)?.certificate ?? ''));
      } catch (error) {
        if (error instanceof BadCertificate) return sentence(error.message);
        throw error;
      }
    },
  },
];

function wrongDate({ validFrom, validTo }: X509Certificate): SetupProblem {
  const [now, end] = [Date.now(), Date.parse(validTo)];
  if (Date.parse(validFrom) > now) return `The certificate is not valid before ${validFrom}.`;
  return end - now < NOTICE_MS && `The certificate ${end < now ? 'expired' : 'expires'} on ${validTo}.`;
}

// The certificate and key of an HTTPS server: given ones, or new ones for this run, with the certificate in a file for clients.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PemPair, selfSigned } from '../http/connections/self-signed.js';
import { ANY_HOST } from '../http/host.js';
import { tlsProblem } from '../outgoing/tls-options.js';
import { decodedText, readFailure } from '../scenario/yaml/text.js';
import type { Settings } from '../settings/settings.js';

export interface TlsCredentials extends PemPair {
  /** The file of the certificate, for clients to trust. */
  readonly file: string;
  /** Removes temporary files. */
  drop(): void;
}

/** The given files are no certificate, no key, or do not match; or a new certificate cannot be written. */
export class BadCertificate extends Error {}

/** `undefined`: plain HTTP. Throws a `BadCertificate`. */
export function tlsCredentials(
  settings: Pick<Settings, 'tls' | 'tlsCert' | 'tlsKey' | 'host' | 'allowedHosts'>,
): TlsCredentials | undefined {
  const { tls, tlsCert, tlsKey } = settings;
  if (tlsCert !== undefined && tlsKey !== undefined)
    return { ...readCredentials('tls', tlsCert, tlsKey), file: tlsCert, drop: () => {} };
  return tls ? ofThisRun(settings) : undefined;
}

/** The files of the flags `--<flag>-cert` and `--<flag>-key`. Throws a `BadCertificate`. */
export function readCredentials(flag: 'tls' | 'client', file: string, keyFile: string): PemPair {
  const [certificate, key] = [read(`${flag}-cert`, file), read(`${flag}-key`, keyFile)];
  const why = tlsProblem({ cert: certificate, key });
  if (why === undefined) return { certificate, key };
  throw new BadCertificate(`--${flag}-cert ${file} and --${flag}-key ${keyFile} cannot be used: ${why}`);
}

function read(flag: string, file: string): string {
  try {
    return decodedText(readFileSync(file));
  } catch (error) {
    throw new BadCertificate(`--${flag} ${file}: ${readFailure(error)}`, { cause: error });
  }
}

function ofThisRun({ host, allowedHosts }: Pick<Settings, 'host' | 'allowedHosts'>): TlsCredentials {
  const further = [host, ...allowedHosts].filter(name => name !== ANY_HOST).map(name => name.replace(/^\[|\]$/g, ''));
  const credentials = selfSigned([...new Set(['localhost', '127.0.0.1', '::1', ...further])]);
  const folder = newFolder();
  const file = join(folder, 'certificate.pem');
  writeFileSync(file, credentials.certificate);
  return { ...credentials, file, drop: () => rmSync(folder, { recursive: true, force: true }) };
}

function newFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'cwx-fake-tls-'));
  } catch (error) {
    const why = (error as Error).message; // of the file system
    throw new BadCertificate(
      `--tls cannot write its certificate to ${tmpdir()}: ${why}. Set TMPDIR to a folder that can be written, or use --tls-cert and --tls-key`,
    );
  }
}

// The flags of the commands that send requests to servers which ask for a certificate.
import { useClientCertificate } from '../server/outgoing/outgoing.js';
import { BadCertificate, readCredentials } from '../server/process/tls-credentials.js';
import type { Flag, FlagValues } from '../server/settings.js';

export const clientCertificateFlags: readonly Flag[] = [
  {
    name: 'client-cert',
    value: 'file',
    description: 'certificate in PEM for servers that ask for one, with --client-key',
    example: 'client.pem',
  },
  { name: 'client-key', value: 'file', description: 'key of --client-cert in PEM', example: 'client-key.pem' },
];

/** Uses the certificate of the flags for the requests of this command. Returns the error, if any. */
export function applyClientCertificate(values: FlagValues): string | undefined {
  const { 'client-cert': file, 'client-key': keyFile } = values;
  useClientCertificate(undefined);
  if (file === undefined && keyFile === undefined) return undefined;
  if (typeof file !== 'string' || typeof keyFile !== 'string') return '--client-cert and --client-key need each other';
  try {
    const { certificate: cert, key } = readCredentials('client', file, keyFile);
    useClientCertificate({ cert, key });
    return undefined;
  } catch (error) {
    if (error instanceof BadCertificate) return error.message;
    throw error;
  }
}

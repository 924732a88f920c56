// The certificate that a command shows to servers that ask for one.
import { useClientCertificate } from '../../server/outgoing/outgoing.js';
import { BadCertificate, readCredentials } from '../../server/process/tls-credentials.js';
import type { FlagValues } from '../../server/settings/settings.js';

/** Uses the certificate of the flags for the requests of this command. Returns the error, if any. */
export function applyClientCertificate(values: FlagValues): string | undefined {
  const { 'client-cert': file, 'client-key': keyFile } = values;
  useClientCertificate({});
  if (file === undefined && keyFile === undefined) return undefined;
  if (typeof file !== 'string' || typeof keyFile !== 'string')
    return '--client-cert and --client-key must be given together';
  try {
    const { certificate: cert, key } = readCredentials('client', file, keyFile);
    useClientCertificate({ cert, key });
    return undefined;
  } catch (error) {
    if (error instanceof BadCertificate) return error.message;
    throw error;
  }
}

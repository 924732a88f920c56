// How a client proves who it is to a server, and whom it trusts: under the names of Node's `tls`.
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** Each in PEM, for servers at an https URL. */
export interface TlsOptions {
  /** Certificate for a server that asks for one, with `key`. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The certificate of the server, or of its authority, to trust instead of the usual ones. */
  readonly ca?: string | Buffer;
}

/** Why these cannot be used, as a clause. */
export function tlsProblem({ cert, key, ca }: TlsOptions): string | undefined {
  if ((cert === undefined) !== (key === undefined)) return 'cert and key need each other';
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return 'the key does not match the certificate';
    return `they are not a certificate and key in PEM (${message})`;
  }
  try {
    if (ca !== undefined) new X509Certificate(ca);
    return undefined;
  } catch (error) {
    return `ca is not a certificate in PEM (${(error as Error).message})`;
  }
}

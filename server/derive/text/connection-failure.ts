// Why a server could not be asked, in words. Everything that asks other servers uses them.

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name could not be resolved',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: 'the connection closed without a response',
  EPROTO: 'the server does not use TLS: should the URL begin with http://?',
};

/** By message, where Node gives several causes one code or none. */
const messages: Readonly<Record<string, string>> = {
  aborted: 'the connection ended in the middle of the response',
  'socket hang up': 'the connection closed without a response',
};

const TRUST = 'trust it, or its issuer, with NODE_EXTRA_CA_CERTS';

/** A clause without a full stop. `error`: of a socket or of a request, or one that wraps it; `trust`: what helps if the certificate is not trusted. */
export function connectionFailure(error: Error, trust = TRUST): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  const { message } = cause;
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return 'the server requires a client certificate: give --client-cert and --client-key, or cert and key in a program';
  if (/self.signed|certificate|CERT_/i.test(`${code} ${message}`))
    return `its certificate is not trusted (${message}): ${trust}`;
  if (code.startsWith('HPE_')) return 'the response is not HTTP';
  if (code.startsWith('ERR_SSL_')) return reasons.EPROTO ?? code;
  return messages[message] ?? reasons[code] ?? (message === '' ? code : message); // a failure of several addresses has only a code
}

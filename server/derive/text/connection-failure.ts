// Why a server could not be asked, in words. Everything that asks other servers uses them.

import { isNativeError } from 'node:util/types';

const CLOSED = 'the connection closed without a response';
export const CUT_SHORT = 'the connection ended in the middle of the response';
const NOT_HTTP = 'the response is not HTTP';
const NO_TLS = 'the server does not use TLS: should the URL begin with http://?';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name could not be resolved',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: CLOSED,
  EPROTO: NO_TLS,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_OVERFLOW: NOT_HTTP,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NOT_HTTP,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the response is too large',
};

/** By message, where several causes have one code or none. */
const messages: Readonly<Record<string, string>> = {
  aborted: CUT_SHORT,
  'socket hang up': CLOSED,
  'bad response': 'the server sent 100 Continue, although the request did not ask for it',
  'bad upgrade': 'the server switches protocols (101), although the request did not ask for it',
};

const TRUST = 'trust it, or its issuer, with NODE_EXTRA_CA_CERTS';

/** A clause without a full stop. `error`: of a socket or of a request, or one that wraps it; `trust`: what helps if the certificate is not trusted. */
export function connectionFailure(error: Error, trust = TRUST): string {
  const cause = isNativeError(error.cause) ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  const { message } = cause;
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return 'the server requires a client certificate: give --client-cert and --client-key, or cert and key in a program';
  if (/self.signed|certificate|CERT_/i.test(`${code} ${message}`))
    return `its certificate is not trusted (${message}): ${trust}`;
  if (cause.name === 'HTTPParserError' || code.startsWith('HPE_')) return NOT_HTTP;
  if (code.startsWith('ERR_SSL_')) return NO_TLS;
  return messages[message] ?? reasons[code] ?? (message === '' ? code : message); // a failure of several addresses has only a code
}

/** Whether a connection ended before the response did. `hasBegun`: the response, so that the error is that of its body. */
export function isCutShort(error: Error, hasBegun: boolean): boolean {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || (code === 'UND_ERR_SOCKET' && messages[error.message] === undefined)) return true;
  const isIncomplete = error.name === 'HTTPParserError' && error.message.includes('EOF');
  return hasBegun && (isIncomplete || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH');
}

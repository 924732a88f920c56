// Why a server could not be asked: the words for what Node and TLS report.
import { expect } from 'chai';
import { connectionFailure } from '../../../server/derive/text/connection-failure.js';

const failed = (code: string, message = `read ${code}`) => Object.assign(new Error(message), { code });

describe('connectionFailure', () => {
  it('names the cause and the fix of each failure', () => {
    for (const [error, says] of [
      [failed('ECONNREFUSED'), 'the connection was refused'],
      [failed('EAI_AGAIN'), 'the host name could not be resolved'],
      [failed('ECONNRESET'), 'the connection closed without a response'],
      [failed('ECONNRESET', 'aborted'), 'the connection ended in the middle of the response'],
      [failed('HPE_INVALID_CONSTANT'), 'the response is not HTTP'],
      [failed('ERR_SSL_WRONG_VERSION_NUMBER'), 'the server does not use TLS: should the URL begin with http://?'],
      [
        failed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
        'its certificate is not trusted (self-signed certificate): trust it, or its issuer, with NODE_EXTRA_CA_CERTS',
      ],
      [failed('EWHATEVER', 'something else'), 'something else'],
      [failed('EALL', ''), 'EALL'],
    ] as const)
      expect(connectionFailure(error)).to.equal(says);
  });

  it('looks at the cause of an error', () => {
    const wrapped = new Error('no response', { cause: failed('ECONNREFUSED') });
    expect(connectionFailure(wrapped)).to.equal('the connection was refused');
  });

  it('says what helps against a certificate that is not trusted', () => {
    const error = failed('CERT_HAS_EXPIRED', 'certificate has expired');
    expect(connectionFailure(error, 'accept it with --insecure')).to.match(/: accept it with --insecure$/);
  });
});

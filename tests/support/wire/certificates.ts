// A self-signed certificate, made by openssl for one test.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Certificate {
  /** The files, in PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** Makes one for a host in a folder; `host` is a DNS name or an IP address of version 4. */
export function selfSigned(folder: string, host = '127.0.0.1'): Certificate {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = /^[\d.]+$/.test(host) ? `IP:${host}` : `DNS:${host}`;
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=${subject}`];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  return { certificate, key };
}

// A self-signed certificate for one run of a server: X.509 version 3 (RFC 5280) with a new P-256 key, encoded as DER here, because Node creates keys
// and signatures but no certificates.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';
import { realTime } from '../../engine/real-time.js';

/** Both in PEM. */
export interface PemPair {
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** Object identifiers in DER. */
const OIDS = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectKeyIdentifier: '551d0e',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
} as const;

/** For these host names and IP addresses, valid from yesterday for `days` days. */
export function selfSigned(hosts: readonly string[], days = 30): PemPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(oid(OIDS.ecdsaWithSha256));
  const name = sequence(tlv(0x31, sequence(oid(OIDS.commonName), tlv(0x0c, Buffer.from('cwx-fake')))));
  const now = realTime.now();
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // a positive number with the full number of bytes
  const certificate = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    name,
    sequence(time(now - DAY_MS), time(now + days * DAY_MS)),
    name,
    spki,
    tlv(0xa3, sequence(...extensions(hosts, spki))),
  );
  const signature = sign('sha256', certificate, privateKey);
  return {
    certificate: pem(sequence(certificate, algorithm, bits(0, signature))),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** It is its own authority: strict clients require this extension. */
function extensions(hosts: readonly string[], spki: Buffer): Buffer[] {
  const yes = tlv(0x01, Buffer.from([0xff]));
  const names = hosts.map(host =>
    isIP(host) === 0 ? tlv(0x82, Buffer.from(host, 'ascii')) : tlv(0x87, addressBytes(host)),
  );
  const extension = (id: string, value: Buffer, isCritical = false) =>
    sequence(oid(id), ...(isCritical ? [yes] : []), tlv(0x04, value));
  const digitalSignatureAndCertSign = bits(2, Buffer.from([0x84]));
  return [
    extension(OIDS.basicConstraints, sequence(yes), true),
    extension(OIDS.keyUsage, digitalSignatureAndCertSign, true),
    extension(OIDS.subjectKeyIdentifier, tlv(0x04, createHash('sha1').update(spki).digest())),
    extension(OIDS.subjectAltName, sequence(...names)),
  ];
}

function addressBytes(host: string): Buffer {
  if (!isIPv6(host)) return Buffer.from(host.split('.').map(Number));
  const [head = '', tail = ''] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter(group => group !== '');
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(all.map(group => group.padStart(4, '0')).join(''), 'hex');
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return tlv(0x02, bytes);
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function bits(unused: number, bytes: Buffer): Buffer {
  return tlv(0x03, Buffer.from([unused]), bytes);
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tlv(0x17, Buffer.from(digits.slice(2), 'ascii'));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

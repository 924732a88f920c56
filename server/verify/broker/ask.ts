// One JSON request to another server, with limits of time and size. Credentials go only to the host that they are for.
import { redactUrl } from '../../engine/journal/secrets.js';
import { MAX_BYTES } from '../../scenario/yaml/text.js';
import { type Credentials, headerFor } from './broker-credentials.js';

export interface Asking {
  readonly credentials: Credentials;
  /** Milliseconds for the whole exchange, including redirects and body. */
  readonly patience: number;
  readonly method?: 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  /** The URL after redirects. */
  readonly url: URL;
  /** Lower case, without parameters; empty if absent. */
  readonly type: string;
  readonly text: string;
  /** The host that got no credentials, because a redirect led there. */
  readonly strangeHost?: string;
}

/** No usable reply, with a sentence for people. */
export type NoReply = { readonly unreachable: string } | { readonly problem: string };

/** Default timeout. */
export const PATIENCE_MS = 30_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Requests JSON and follows redirects, also from http to https. */
export async function ask(url: URL, asking: Asking): Promise<Reply | NoReply> {
  const signal = AbortSignal.timeout(asking.patience);
  try {
    return await follow(url, asking, signal);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { unreachable: `${redactUrl(url.href)} does not answer: ${reasonOf(error, asking.patience)}.` };
  }
}

async function follow(url: URL, asking: Asking, signal: AbortSignal): Promise<Reply | NoReply> {
  let { method = 'GET', body }: { method?: string; body?: unknown } = asking;
  let target = url;
  for (let i = 0; i <= MAX_REDIRECTS; i++) {
    const isTrusted = mayKnow(url, target);
    const response = await fetch(target, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        accept: 'application/hal+json, application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(isTrusted && headerFor(asking.credentials)),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return readReply(response, target, isTrusted);
    await response.body?.cancel();
    if (!URL.canParse(location, target.href) || !/^https?:$/.test(new URL(location, target).protocol))
      return {
        problem: `${redactUrl(target.href)} redirects to ${JSON.stringify(location)}, which is not an http(s) URL.`,
      };
    target = new URL(location, target);
    if (response.status === 303) [method, body] = ['GET', undefined];
  }
  return { problem: `${redactUrl(url.href)} redirects more than ${MAX_REDIRECTS} times.` };
}

/** Whether the host of a redirect may get the credentials of the first host. */
function mayKnow(first: URL, target: URL): boolean {
  if (target.origin === first.origin) return true;
  const isUpgrade = first.protocol === 'http:' && target.protocol === 'https:';
  return isUpgrade && target.hostname === first.hostname;
}

async function readReply(response: Response, url: URL, isTrusted: boolean): Promise<Reply | NoReply> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) return { problem: `${redactUrl(url.href)} answers with more than ${MAX_BYTES} bytes.` };
    chunks.push(chunk);
  }
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';');
  return {
    status: response.status,
    url,
    type: type.trim(),
    text: Buffer.concat(chunks).toString('utf8'),
    ...(!isTrusted && { strangeHost: url.host }),
  };
}

/** Causes of connection errors; `fetch` wraps them. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name does not resolve',
  UND_ERR_CONNECT_TIMEOUT: 'the connection times out',
  ECONNRESET: 'the connection closes without an answer',
  UND_ERR_SOCKET: 'the connection closes before the end of the answer',
  EPROTO: 'the server does not use TLS: should the URL begin with http://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS: should the URL begin with http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not use TLS: should the URL begin with http://?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: trust it with NODE_EXTRA_CA_CERTS=<file.pem>',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted: trust it with NODE_EXTRA_CA_CERTS=<file.pem>',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted: trust it with NODE_EXTRA_CA_CERTS=<file.pem>',
};

function reasonOf(error: Error, patience: number): string {
  if (error.name === 'TimeoutError') return `no answer within ${patience / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  if (cause.message === 'bad port') return 'HTTP clients block this port'; // ports that fetch blocks
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  return reasons[code] ?? (cause.message === '' ? code : cause.message);
}

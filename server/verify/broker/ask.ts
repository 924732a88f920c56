// One request for JSON to a server of somebody else, within limits of time and size; credentials stay with the host they are meant for.
// Knows nothing of pacts and of brokers.
import { redactUrl } from '../../engine/journal/secrets.js';
import { MOST_BYTES } from '../../scenario/yaml/text.js';
import { type Credentials, headerFor } from './broker-credentials.js';

export interface Asking {
  readonly credentials: Credentials;
  /** Milliseconds for the whole of it, redirects and body included. */
  readonly patience: number;
  readonly method?: 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  /** Where it was found in the end. */
  readonly url: URL;
  /** In lower case, without parameters; empty where it is not told. */
  readonly type: string;
  readonly text: string;
  /** The host to which credentials were not sent, since it is another than that of the URL. */
  readonly strangeHost?: string;
}

/** There is no reply: nobody answers, or what comes is of no use. Each a sentence for people. */
export type NoReply = { readonly unreachable: string } | { readonly problem: string };

/** What a patient person waits for. */
export const PATIENCE_MS = 30_000;
const MOST_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Asks for JSON and follows redirects, from http to https too. */
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
  for (let i = 0; i <= MOST_REDIRECTS; i++) {
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
      return { problem: `${redactUrl(target.href)} leads to ${JSON.stringify(location)}, which is no http(s) URL.` };
    target = new URL(location, target);
    if (response.status === 303) [method, body] = ['GET', undefined];
  }
  return { problem: `${redactUrl(url.href)} leads from one URL to the next more than ${MOST_REDIRECTS} times.` };
}

/** Whether a host that an answer leads to may get the credentials of the first. */
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
    if (size > MOST_BYTES) return { problem: `${redactUrl(url.href)} answers with more than ${MOST_BYTES} bytes.` };
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

/** The reasons that lie in the connection; fetch wraps them. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'there is no host of that name',
  UND_ERR_CONNECT_TIMEOUT: 'nobody takes the connection',
  ECONNRESET: 'the connection ends without an answer',
  UND_ERR_SOCKET: 'the connection ends before the answer does',
  EPROTO: 'the server speaks no TLS: is it http://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server speaks no TLS: is it http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server speaks no TLS: is it http://?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself: NODE_EXTRA_CA_CERTS=<file.pem> makes it known',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not known here: NODE_EXTRA_CA_CERTS=<file.pem> makes it known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not known here: NODE_EXTRA_CA_CERTS=<file.pem> makes it known',
};

function reasonOf(error: Error, patience: number): string {
  if (error.name === 'TimeoutError') return `no answer within ${patience / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  if (cause.message === 'bad port') return 'this port is not for HTTP'; // fetch has a list of them
  if (code.startsWith('HPE_')) return 'what comes back is no HTTP';
  return reasons[code] ?? (cause.message === '' ? code : cause.message);
}

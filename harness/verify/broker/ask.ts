// One JSON request to another server, with limits of time and size. Credentials go only to the host that they are for.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { connectionFailure } from '../../../server/derive/text/connection-failure.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import { connection } from '../../../server/library/port/http-connection.js';
import type { Answered } from '../../../server/scenario/play/target.js';
import { MAX_BYTES } from '../../../server/scenario/yaml/text.js';
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
    const reason = signal.aborted ? `no answer within ${asking.patience / 1000} s` : connectionFailure(error);
    return { unreachable: `${redactUrl(url.href)} does not answer: ${reason}.` };
  }
}

async function follow(url: URL, asking: Asking, signal: AbortSignal): Promise<Reply | NoReply> {
  let { method = 'GET', body }: { method?: string; body?: unknown } = asking;
  let target = url;
  for (let i = 0; i <= MAX_REDIRECTS; i++) {
    const isTrusted = mayKnow(url, target);
    const response = await send(target, signal, {
      method,
      headers: {
        accept: 'application/hal+json, application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(isTrusted && headerFor(asking.credentials)),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const location = REDIRECTS.includes(response.status) ? response.headers.location : undefined;
    if (location === undefined) return replyOf(response, target, isTrusted);
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

/** Rejects with `Unreachable`. */
async function send(url: URL, signal: AbortSignal, request: Omit<HttpRequest, 'path'>): Promise<Answered> {
  const { send, close } = connection(url.origin);
  try {
    return await send({ ...request, path: url.pathname + url.search }, signal);
  } finally {
    close();
  }
}

function replyOf({ status, headers, text, bytes }: Answered, url: URL, isTrusted: boolean): Reply | NoReply {
  if (bytes.length > MAX_BYTES) return { problem: `${redactUrl(url.href)} answers with more than ${MAX_BYTES} bytes.` };
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  return { status, url, type: type.trim(), text, ...(!isTrusted && { strangeHost: url.host }) };
}

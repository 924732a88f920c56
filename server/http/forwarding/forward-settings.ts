// The settings of forwarding. No HTTP types here, because the library's types use it.
import type { Forwarded } from '../../engine/request/forwarded.js';
import type { TlsOptions } from '../../outgoing/tls-options.js';
import type { SeenMessage } from './seen-message.js';

export interface ForwardSettings {
  /** `rest`: forward what is neither an operation nor a resource of Confluence and Jira, and add nothing of this server. `all`: forward everything. */
  readonly what: 'rest' | 'all';
  /** Base URL of the other server, without a trailing slash. */
  readonly target: string;
  /** Milliseconds for the start of a response, and for each pause in it. */
  readonly timeout: number;
  /** 0: no limit. */
  readonly maxConnections: number;
  /** Whether to accept untrusted certificates. */
  readonly insecure?: boolean;
  readonly tls?: TlsOptions | undefined;
  /** Advice for an untrusted certificate, as the end of a sentence. */
  readonly trusting: string;
  /** Whether redirects, cookies and links of the other server are rewritten to this one. */
  readonly rewrite: boolean;
  /** Examines an exchange with its kept messages. Default: none. */
  readonly examine?: (exchange: ForwardedExchange) => Examined;
}

/** The findings of an exchange. */
export interface Examined extends Pick<Forwarded, 'violations' | 'agrees'> {
  readonly operation?: string | undefined;
}

export interface ForwardedExchange {
  readonly method: string;
  /** Path and query, as forwarded. */
  readonly url: string;
  readonly request: SeenMessage;
  readonly status: number;
  /** Decompressed, if it is text. Absent: the response is incomplete, and `problem` says why. */
  readonly response?: SeenMessage;
  readonly problem?: string;
  /** Milliseconds. */
  readonly duration: number;
}

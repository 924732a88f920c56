// The settings of forwarding. No HTTP types here, because the library's types use it.
import type { Forwarded } from '../../engine/request/forwarded.js';
import type { ForwardedExchange, UpstreamSettings } from './upstream.js';

export interface ForwarderSettings extends UpstreamSettings {
  /** `rest`: forward what is neither an operation nor a resource of Confluence or Jira, and add nothing of this server. `all`: forward everything. */
  readonly what: 'rest' | 'all';
  /** Whether redirects, cookies and links of the other server are rewritten to this one. */
  readonly rewrite: boolean;
  /** Examines an exchange with its kept messages. Default: none. */
  readonly examine?: (exchange: ForwardedExchange) => Examined;
}

/** The findings of an exchange. */
export interface Examined extends Pick<Forwarded, 'violations' | 'agrees'> {
  readonly operation?: string | undefined;
}

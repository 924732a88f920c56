// What is passed on to another server, and who looks at it. Knows no HTTP, since the types of the library reach as far as here.
import type { Forwarded } from '../../engine/journal/journal-entry.js';
import type { ForwardedExchange, UpstreamSettings } from './upstream.js';

export interface ForwarderSettings extends UpstreamSettings {
  /** `rest`: what is neither an operation nor a resource of a host, with nothing of this server's own. `all`: everything, as it is. */
  readonly what: 'rest' | 'all';
  /** Looks at an exchange whose messages are kept. Left out: nobody looks at any. */
  readonly examine?: (exchange: ForwardedExchange) => Examined;
}

/** What there is to say of an exchange. */
export interface Examined extends Pick<Forwarded, 'departs' | 'agrees'> {
  readonly operation?: string | undefined;
  /** The text of the answer, unpacked. */
  readonly text?: string | undefined;
}

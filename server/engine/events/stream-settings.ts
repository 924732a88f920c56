// How events are sent to their readers.

export interface StreamSettings {
  /** Milliseconds between keep-alive comments. */
  readonly heartbeat: number;
  /** Reconnection time for readers, in milliseconds. */
  readonly retry: number;
}

export const usualStreamSettings: StreamSettings = { heartbeat: 15_000, retry: 2_000 };

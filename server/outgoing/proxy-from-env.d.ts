// The types of proxy-from-env, which has none.
declare module 'proxy-from-env' {
  /** The URL of the proxy that the environment names for a URL; empty: none. */
  export function getProxyForUrl(url: URL): string;
}

// A URL as it may be shown: without what is secret in it. Knows nothing of what lies there.
import { isSecretName } from '../../engine/shown-url.js';

/** Without user and password, and without the values of parameters that may be secret. */
export function seenUrl(url: URL): string {
  const seen = new URL(url);
  seen.username = '';
  seen.password = '';
  for (const name of new Set(seen.searchParams.keys())) if (isSecretName(name)) seen.searchParams.set(name, '***');
  return seen.href;
}

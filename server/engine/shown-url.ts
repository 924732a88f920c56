// The target of a request as it may be written down: without what could prove who asked. Knows neither journal nor log.
import { decodes } from './percent.js';

/** Parameters by which hosts take credentials, such as `os_password` and `access_token`. */
const SECRET = /token|secret|passw|signature|credential|session|^(?:sig|key|auth|jwt)$|api[-_]?key/i;

/** What stands in the place of a value that is not told. */
export const HIDDEN = 'hidden';

/** Path and query without the user and password of a whole URL, and without the values of parameters that may be secret. */
export function shownUrl(target: string): string {
  const mark = target.indexOf('?');
  const path = withoutUser(mark === -1 ? target : target.slice(0, mark));
  return mark === -1
    ? path
    : `${path}?${target
        .slice(mark + 1)
        .split('&')
        .map(shownPair)
        .join('&')}`;
}

/** A pair of a query, `name=value`; its value is hidden where it may be secret. */
export function shownPair(pair: string): string {
  const at = pair.indexOf('=');
  if (at === -1 || !isSecretName(pair.slice(0, at))) return pair;
  return `${pair.slice(0, at)}=${HIDDEN}${decodes(pair.slice(at + 1)) ? '' : '%'}`; // performed again it is as undecodable as it was
}

/** Whether what has this name may prove who somebody is; the name may be percent-encoded. */
export function isSecretName(name: string): boolean {
  const plain = name.replace(/%([0-7][\dA-Fa-f])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return SECRET.test(plain);
}

function withoutUser(path: string): string {
  return path.replace(/^([A-Za-z][\w+.-]*:\/\/)[^/?#]*@/, '$1');
}

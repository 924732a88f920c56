// All attacks, in the order of the report; those that judge earlier answers come last.
import type { Attack } from './attack.js';
import { beyondLoopback, controlWithoutToken, plainHttp, wrongToken } from './attacks/addresses.js';
import { connectionLimit, idleConnections } from './attacks/crowds.js';
import { headerInjection, requestIds } from './attacks/header-injection.js';
import { doubledHost, foreignHost } from './attacks/hosts.js';
import { secrets } from './attacks/leaks.js';
import { errorDetails, honestHealth, serverErrors } from './attacks/overall.js';
import { deepJson, hugeNumbers, patternBomb } from './attacks/payloads.js';
import { endlessGrowth, endlessPacking, searchBomb, unreadAnswers } from './attacks/pressure.js';
import { prototypeNames } from './attacks/prototypes.js';
import { largeBody, largeHeaders, manyHeaders } from './attacks/sizes.js';
import { silentConnection, slowBody, slowHeaders } from './attacks/slow.js';
import { requestSmuggling } from './attacks/smuggling.js';
import { pathTraversal } from './attacks/traversal.js';
import { corsHeaders, foreignOperations, foreignOrigin, formContentTypes } from './attacks/web-pages.js';

export const attacks: readonly Attack[] = [
  beyondLoopback,
  controlWithoutToken,
  wrongToken,
  plainHttp,
  foreignHost,
  doubledHost,
  foreignOrigin,
  foreignOperations,
  formContentTypes,
  corsHeaders,
  largeBody,
  endlessPacking,
  largeHeaders,
  manyHeaders,
  idleConnections,
  connectionLimit,
  requestSmuggling,
  pathTraversal,
  prototypeNames,
  headerInjection,
  requestIds,
  deepJson,
  hugeNumbers,
  patternBomb,
  searchBomb,
  unreadAnswers,
  endlessGrowth,
  secrets,
  slowHeaders,
  slowBody,
  silentConnection,
  honestHealth,
  errorDetails,
  serverErrors,
];

export const attackNames: readonly string[] = attacks.map(({ name }) => name);

/** The attacks for a word: one, or all with a prefix that ends with an asterisk. */
export function attacksMeant(word: string): readonly Attack[] {
  return attacks.filter(({ name }) => (word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : name === word));
}

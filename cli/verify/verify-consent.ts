// Asks before the requests of contracts change a server that is not a fake.
import { consent, NOTHING_RESTORED } from '../../harness/changes/plan-text.js';
import type { Contract } from '../../harness/verify/contract/contract.js';
import type { RemoteTarget } from '../../harness/verify/providers/provider.js';
import { counted } from '../../server/derive/text/counted.js';
import { controlAt } from '../../server/library/target/served-fake.js';
import type { Process } from '../../server/process/command-process.js';

/** Why nothing may be sent, if so. Rejects with `Unreachable` as the verification would. */
export async function refusalToVerify(
  contracts: readonly Contract[],
  { url, token, stateChangeUrl }: RemoteTarget,
  isGiven: boolean,
  { stdin, stderr }: Process,
): Promise<string | undefined> {
  const fake = stateChangeUrl === undefined ? await controlAt(new URL(url).origin, token) : undefined;
  fake?.stop();
  if (fake !== undefined) return undefined; // a sandbox of it is changed
  const plan = contracts.flatMap(({ consumer, provider, interactions }) => {
    const changing = interactions.filter(({ example }) => !['GET', 'HEAD', 'OPTIONS'].includes(example.method)).length;
    return changing === 0
      ? []
      : [`${consumer} and ${provider}: up to ${counted(changing, 'request')} that can change data`];
  });
  const given = await consent(plan.length === 0 ? [] : [...plan, NOTHING_RESTORED], url, isGiven, {
    input: stdin,
    output: stderr,
  });
  if (given === 'given') return undefined;
  return given === 'refused'
    ? 'Nothing was sent.'
    : `cwx-fake verify: the contracts change ${url}, and there is no terminal to ask for confirmation: add --yes to skip the question`;
}

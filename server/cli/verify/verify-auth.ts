// Credentials for the broker, from flags or from the environment variables of Pact's own tools. Messages never contain them.
import type { Environment } from '../../process/command-process.js';
import type { FlagValues } from '../../settings.js';
import type { Credentials } from '../../verify/broker/broker-credentials.js';

/** The credentials, possibly none; or all errors. */
export function authOf(values: FlagValues, env: Environment): Credentials | { readonly errors: readonly string[] } {
  const { 'broker-token': token, 'broker-user': user } = values;
  if (typeof token === 'string' && typeof user === 'string')
    return { errors: ['--broker-token and --broker-user cannot be combined'] };
  if (typeof token === 'string') return { token };
  if (typeof user === 'string') {
    const at = user.indexOf(':');
    return { basic: { user: user.slice(0, at), password: user.slice(at + 1) } };
  }
  return authFrom(env);
}

function authFrom(env: Environment): Credentials | { readonly errors: readonly string[] } {
  const { PACT_BROKER_TOKEN: token = '', PACT_BROKER_USERNAME: user = '', PACT_BROKER_PASSWORD: password = '' } = env;
  if (token !== '' && user !== '') return { errors: ['PACT_BROKER_TOKEN and PACT_BROKER_USERNAME cannot be combined'] };
  if (token !== '') return { token };
  if (user === '' && password === '') return {};
  if (user !== '' && password !== '') return { basic: { user, password } };
  const [set, missing] = user === '' ? ['PASSWORD', 'USERNAME'] : ['USERNAME', 'PASSWORD'];
  return { errors: [`PACT_BROKER_${set} is set, but PACT_BROKER_${missing} is not: set both, or PACT_BROKER_TOKEN`] };
}

// Who asks the broker: by flags, else by the environment variables that Pact's own tools read. What is given stays out of every message.
// Knows no broker.
import type { Environment } from '../../process/command-process.js';
import type { FlagValues } from '../../settings.js';
import type { Credentials } from '../../verify/broker/broker-credentials.js';

/** The credentials; none at all is right, too. Or everything that is wrong with them. */
export function authOf(values: FlagValues, env: Environment): Credentials | { readonly mistakes: readonly string[] } {
  const { 'broker-token': token, 'broker-user': user } = values;
  if (typeof token === 'string' && typeof user === 'string')
    return { mistakes: ['--broker-token and --broker-user are two ways to say who asks: take one of them'] };
  if (typeof token === 'string') return { token };
  if (typeof user === 'string') {
    const at = user.indexOf(':');
    return { basic: { user: user.slice(0, at), password: user.slice(at + 1) } };
  }
  return authFrom(env);
}

function authFrom(env: Environment): Credentials | { readonly mistakes: readonly string[] } {
  const { PACT_BROKER_TOKEN: token = '', PACT_BROKER_USERNAME: user = '', PACT_BROKER_PASSWORD: password = '' } = env;
  if (token !== '' && user !== '')
    return { mistakes: ['PACT_BROKER_TOKEN and PACT_BROKER_USERNAME are two ways to say who asks: set one of them'] };
  if (token !== '') return { token };
  if (user === '' && password === '') return {};
  if (user !== '' && password !== '') return { basic: { user, password } };
  const [set, missing] = user === '' ? ['PASSWORD', 'USERNAME'] : ['USERNAME', 'PASSWORD'];
  return { mistakes: [`PACT_BROKER_${set} is set and PACT_BROKER_${missing} is not: set both, or PACT_BROKER_TOKEN`] };
}

// Checks of what strangers can reach: control API, Host names, origins, limits of connections.
import { isIP } from 'node:net';
import { ANY_HOST } from '../../server/http/host.js';
import { isLoopback } from '../../server/process/server.js';
import { serveFlags } from '../../server/settings/serve-flags.js';
import type { SetupCheck } from './check.js';
import type { Setup } from './doctor-setup.js';

/** A generated token has 24 characters. */
const MIN_TOKEN = 16;

/** What the number 0 of a flag allows. */
const unlimited = {
  'request-timeout': ['requestTimeout', 'a client that sends its request slowly can keep its connection open forever'],
  'headers-timeout': ['headersTimeout', 'a client that sends its headers slowly can keep its connection open longer'],
  'max-connections': ['maxConnections', 'clients can use up all file descriptors of the process'],
} as const;

export const exposureChecks: ReadonlyArray<SetupCheck<Setup>> = [
  {
    name: 'control',
    fix: 'Omit --control open, so that a token is required, or use --control off.',
    problems: ({ settings: { control, host } }) => control === 'open' && !isLoopback(host) && openControl(host),
  },
  {
    name: 'control-token',
    fix: 'Set CWX_FAKE_CONTROL_TOKEN to a random token, such as the output of openssl rand -hex 16.',
    concerns: ({ settings }) => settings.controlToken !== undefined,
    problems: ({ settings: { controlToken: token = '' } }) =>
      token.length < MIN_TOKEN && `The control token has fewer than ${MIN_TOKEN} characters, so it can be guessed.`,
  },
  {
    name: 'allow-host',
    fix: 'Allow only your own host names, such as --allow-host fake.internal. Names without a dot need no flag.',
    problems: ({ settings: { allowedHosts } }) => {
      if (allowedHosts.includes(ANY_HOST))
        return '--allow-host any lets every web page in a browser on this network reach the fake (DNS rebinding).';
      const foreign = allowedHosts.filter(isPublic);
      return foreign.map(
        name => `--allow-host ${name} lets web pages of the owner of that name reach the fake (DNS rebinding).`,
      );
    },
  },
  {
    name: 'cors',
    fix: 'Allow only your own origins. During development, serve the page on localhost: --cors http://localhost:3000',
    problems: ({ settings: { cors } }) => {
      const foreign = cors.filter(origin => isPublic(origin.replace(/^.*:\/\/|:\d+$/g, '')));
      return foreign.map(origin => `--cors ${origin} lets pages of this site call operations and read the responses.`);
    },
  },
  ...Object.entries(unlimited).map(
    ([flag, [setting, effect]]): SetupCheck<Setup> => ({
      name: flag,
      level: 'warning',
      fix: `Omit --${flag} (default: ${serveFlags.find(({ name }) => name === flag)?.default}), or give a number above 0.`,
      problems: ({ settings }) => settings[setting] === 0 && `--${flag} 0: ${effect}.`,
    }),
  ),
];

export function openControl(host: string): string {
  return `Anyone who can reach ${host} can control the fake and read its journal without a token.`;
}

/** Loopback, link-local and private addresses (RFC 1918, RFC 4193). */
const PRIVATE_ADDRESS = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.|^(?:::1$|f[cd]|fe80:)/i;
/** Below top-level names that nobody can register. */
const PRIVATE_NAME = /\.(?:localhost|local|internal|test|home\.arpa)$/i;

/** Whether a host name or an IP address can belong to a stranger. */
function isPublic(name: string): boolean {
  const host = name.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? host.includes('.') && !PRIVATE_NAME.test(host) : !PRIVATE_ADDRESS.test(host);
}

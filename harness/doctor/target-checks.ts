// Checks of a running fake, by its health and the description of its sandbox `default`.
import { isObject } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { packageVersion } from '../../server/process/package.js';
import { isLoopback } from '../../server/process/server.js';
import type { SetupCheck } from './check.js';
import { openControl } from './exposure-checks.js';
import { get } from './machine-checks.js';

const MAX_CLOCK_DIFFERENCE_S = 5;

interface Reply {
  readonly status: number;
  /** The JSON object in the body; of anything else an empty one. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds by which the server's clock is ahead. */
  readonly ahead: number;
}

export interface CheckedFake {
  readonly url: URL;
  readonly health: Reply;
  /** The description of its sandbox without a token, and with the given one. */
  readonly open: Reply;
  readonly described: Reply;
}

/** Rejects with `Unreachable`. */
export async function askTarget(url: string, token?: string): Promise<CheckedFake> {
  const sandbox = '/_fake/v1/sandboxes/default';
  const [health, open] = [await ask(url, '/_fake/health'), await ask(url, sandbox)];
  const described = token === undefined ? open : await ask(url, sandbox, { authorization: `Bearer ${token}` });
  return { url: new URL(url), health, open, described };
}

async function ask(url: string, path: string, headers?: Readonly<Record<string, string>>): Promise<Reply> {
  const sent = Date.now();
  const response = await get(url, path, headers);
  const date = Date.parse(response.headers.date ?? '') + 500; // it has whole seconds
  const ahead = Math.round((date - (sent + Date.now()) / 2) / 1000) || 0;
  const body = parsedJson(response.text);
  return { status: response.status, body: isObject(body) ? body : {}, ahead };
}

const isFake = ({ health: { status, body } }: CheckedFake) => status === 200 && typeof body.version === 'string';

export const targetChecks: ReadonlyArray<SetupCheck<CheckedFake>> = [
  {
    name: 'target',
    fix: ({ url: { hostname }, health: { status } }) =>
      status === 421 ? `Start it with --allow-host ${hostname}, or use its address.` : 'Correct the URL of --target.',
    shows: ({ url, health, described: { body } }) =>
      `${url.origin}, scenario ${health.body.scenario}, profile ${body.profile ?? 'unknown without control API or token'}`,
    problems: target =>
      !isFake(target) &&
      (target.health.status === 421
        ? `The fake refuses the host name ${target.url.hostname}.`
        : `${target.url.origin} is not a cwx-fake: GET /_fake/health returned ${target.health.status}.`),
  },
  {
    name: 'store',
    fix: 'Start the store. The fake then reconnects by itself.',
    concerns: isFake,
    shows: ({ health: { body } }) => String(body.store),
    problems: ({ health: { body } }) =>
      body.status !== 'ok' && `The store ${body.store} is not available: ${body.trouble ?? 'the fake is starting'}.`,
  },
  {
    name: 'version',
    level: 'warning',
    fix: ({ health: { body } }) => `Use the same version of the command: npx cwx-fake@${body.version}`,
    concerns: isFake,
    shows: packageVersion,
    problems: ({ health: { body } }) =>
      body.version !== packageVersion() &&
      `The fake has version ${body.version}, and this command has version ${packageVersion()}.`,
  },
  {
    name: 'control',
    fix: 'Restart the fake without --control open, or with --control off.',
    concerns: isFake,
    problems: ({ url: { hostname }, open }) =>
      open.status < 400 && !isLoopback(hostname.replace(/^\[|\]$/g, '')) && openControl(hostname),
  },
  {
    name: 'control-token',
    fix: 'Give the token that the fake printed at startup.',
    concerns: target => isFake(target) && target.described !== target.open,
    problems: ({ described }) => described.status === 401 && 'The fake refuses this control token.',
  },
  {
    name: 'clock',
    level: 'warning',
    fix: 'Synchronize the clocks of both machines (NTP).',
    concerns: isFake,
    problems: ({ health: { ahead } }) =>
      Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_S &&
      `The clock of the fake is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock here.`,
  },
];

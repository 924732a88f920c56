// Checks before the attacks: whether the target is a fake, and whether a sandbox can be created.
import { randomBytes } from 'node:crypto';
import type { Exchange, Instance } from './instance.js';

/** Whether a health report is that of a fake; otherwise why it is not attacked. */
export function refusalBy({ answer, isClosed }: Exchange, url: string): string {
  if (answer === undefined) return `${url} ${isClosed ? 'closes the connection' : 'does not answer in time'}.`;
  if (answer.status === 421 && answer.text.includes('--allow-host'))
    return `${url} does not answer to this name: give its address as the target, or start it with --allow-host.`;
  return `${url} is no cwx-fake: /_fake/health answers ${answer.status}. The doctor attacks nothing else.`;
}

export type OwnSandbox =
  | { readonly sandbox: string }
  /** Why there is none, and whether the user can fix it. */
  | { readonly why: string; readonly isTypo: boolean };

/** Creates the attacks' sandbox. */
export async function ownSandbox(instance: Instance): Promise<OwnSandbox> {
  const name = `doctor-${randomBytes(4).toString('hex')}`;
  const { answer } = await instance.control('POST', '/_fake/v1/sandboxes', { name });
  const status = answer?.status ?? 0;
  if (status === 201) return { sandbox: name };
  const wasGiven = instance.parts.token !== undefined;
  if (status === 401 && wasGiven) return { why: 'the control API does not take this token', isTypo: true };
  if (status === 401) return { why: 'the control API takes a token: give it with --control-token', isTypo: false };
  if (status === 404 || status === 400) return { why: 'there is no control API to make a sandbox with', isTypo: false };
  return {
    why: `no sandbox could be made: ${answer === undefined ? 'no answer' : instance.shownAnswer(answer)}`,
    isTypo: false,
  };
}

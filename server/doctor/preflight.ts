// What has to be known before anything is attacked: that it is a fake, and whether there is a sandbox to be had for the attacks.
// Attacks nothing.
import { randomBytes } from 'node:crypto';
import type { Exchange, Instance } from './instance.js';

/** What an answer to the question for its health says: it is a fake, or why it is not attacked. */
export function refusalBy({ answer, isClosed }: Exchange, url: string): string {
  if (answer === undefined) return `${url} ${isClosed ? 'closes the connection' : 'does not answer in time'}.`;
  if (answer.status === 421 && answer.text.includes('--allow-host'))
    return `${url} does not answer to this name: give its address as the target, or start it with --allow-host.`;
  return `${url} is no cwx-fake: /_fake/health answers ${answer.status}. The doctor attacks nothing else.`;
}

export type OwnSandbox =
  | { readonly sandbox: string }
  /** Why there is none, and whether that is the mistake of who asks. */
  | { readonly why: string; readonly isTypo: boolean };

/** Makes the sandbox of the attacks. */
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

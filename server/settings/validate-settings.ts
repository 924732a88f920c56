// Settings that contradict each other.
import type { Settings } from './settings.js';

/** The first contradiction, if any, with its option. */
export function clashIn({
  control,
  controlToken,
  store: where,
  fsync,
  tlsCert,
  tlsKey,
  open,
}: Settings): { readonly option: string; readonly message: string } | undefined {
  if (fsync && !where.startsWith('file:'))
    return {
      option: 'fsync',
      message: '--fsync requires --store file:<dir>: add that flag, or omit --fsync',
    };
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    return {
      option: tlsCert === undefined ? 'tlsCert' : 'tlsKey',
      message: '--tls-cert and --tls-key must be given together',
    };
  if (open && control === false)
    return { option: 'open', message: 'the dashboard requires the control API, which --control off turns off' };
  if (control !== 'open' || controlToken === undefined) return undefined;
  return {
    option: 'control',
    message: '--control open cannot be combined with --control-token',
  };
}

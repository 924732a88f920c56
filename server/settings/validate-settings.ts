// What of the settings of a server does not go together.
import type { Settings } from '../settings.js';

/** What of settings does not go together, if anything, with the option that it is about. */
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
      message: 'fsync is for a store in a folder: leave it out, or take file:<dir> as the store',
    };
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    return {
      option: tlsCert === undefined ? 'tlsCert' : 'tlsKey',
      message: 'a certificate and its key go together: give both --tls-cert and --tls-key',
    };
  if (open && control === false)
    return { option: 'open', message: 'the dashboard is part of the control API, which is off: take one of the two' };
  if (control !== 'open' || controlToken === undefined) return undefined;
  return {
    option: 'control',
    message: 'a control API that is open takes no token, and one is given: take one of the two',
  };
}

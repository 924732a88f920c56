// What of the settings of a server does not go together.
import type { Settings } from './settings.js';

/** What of settings does not go together, if anything, with the option that it is about. */
export function clashIn({
  control,
  controlToken,
  store: where,
  fsync,
}: Settings): { readonly option: string; readonly message: string } | undefined {
  if (fsync && !where.startsWith('file:'))
    return {
      option: 'fsync',
      message: 'fsync is for a store in a folder: leave it out, or take file:<dir> as the store',
    };
  if (control !== 'open' || controlToken === undefined) return undefined;
  return {
    option: 'control',
    message: 'a control API that is open takes no token, and one is given: take one of the two',
  };
}

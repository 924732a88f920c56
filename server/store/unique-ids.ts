// Ids of logs and appends that no other process has.
import { randomBytes } from 'node:crypto';

export function uniqueIds(): () => string {
  const own = randomBytes(8).toString('hex');
  let ids = 0;
  return () => {
    ids += 1;
    return `${own}-${ids}`;
  };
}

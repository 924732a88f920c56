// Where the pacts of the consumers are written. Knows no consumer.
import { fileURLToPath } from 'node:url';

/** The folder with the pacts that are committed, or that which PACTS_DIR names. */
export function pactsFolder(): string {
  return process.env.PACTS_DIR ?? fileURLToPath(new URL('../pacts', import.meta.url));
}

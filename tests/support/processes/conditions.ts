// What a test takes of the machine that it runs on. Where that is not there the test is skipped with a line that says so.

/** Whether a machine has what a test takes. Throws in CI where it has not: there every machine can be made to have it. `lack` in words: "there is no …". */
export function hasDue(isThere: boolean, lack: string): boolean {
  if (!isThere && process.env.CI === 'true') throw new Error(`${lack}, and in CI there has to be`);
  return hasByChance(isThere, lack);
}

/** The same of what may be absent in CI too, since nobody there can bring it about; what the test proves has to be proved in another way as well. */
export function hasByChance(isThere: boolean, lack: string): boolean {
  if (!isThere) process.stderr.write(`skipped: ${lack}\n`);
  return isThere;
}

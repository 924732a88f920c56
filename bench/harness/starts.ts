// How long programs take from their start to the first response to a request, the whole process, in turns.
import type { Program } from './child.js';
import { type OtherProgram, startAnswering } from './other-program.js';

export interface Starting {
  readonly name: string;
  readonly program: Program | OtherProgram;
  /** As a line of a load. */
  readonly request: string;
}

/** Milliseconds of each, so many times. */
export async function startsOf(
  startings: readonly Starting[],
  rounds: number,
  say: (line: string) => void,
): Promise<number[][]> {
  const taken = startings.map(() => [] as number[]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [i, { name, program, request }] of startings.entries()) {
      const time = await timed(program, request);
      if (round > 0) taken[i]?.push(time); // before that, files were read from the disk
      say(`round ${round}, ${name}: ${time.toFixed(0)} ms`);
    }
  }
  return taken;
}

async function timed(program: Program | OtherProgram, request: string): Promise<number> {
  const began = performance.now();
  const server = await startAnswering('script' in program ? { ...program, gauge: false } : program, request);
  const time = performance.now() - began;
  await server.stop();
  return time;
}

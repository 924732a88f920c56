// Loaded into a measured process with --import: tells the bench, when asked, what the process has used, and takes profiles.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

export type Question =
  | { readonly ask: 'usage'; readonly collect?: boolean }
  | { readonly ask: 'profile' }
  | { readonly ask: 'end-profile'; readonly file: string };

export interface Usage {
  /** Processor time of the whole process, user and system, in microseconds. */
  readonly cpu: number;
  readonly rss: number;
  readonly heap: number;
  readonly external: number;
  readonly peakRss: number;
}

let session: Session | undefined;

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { cpu: user + system, rss, heap: heapUsed, external, peakRss: process.resourceUsage().maxRSS * 1024 };
}

function startProfile(): void {
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  session.post('Profiler.start');
}

function endProfile(file: string): void {
  session?.post('Profiler.stop', (error, result) => {
    writeFileSync(file, JSON.stringify(error ?? result.profile));
  });
  session?.disconnect();
}

process.on('message', (question: Question) => {
  if (question.ask === 'profile') startProfile();
  if (question.ask === 'end-profile') endProfile(question.file);
  if (question.ask === 'usage' && question.collect) globalThis.gc?.();
  process.send?.(usage());
});
process.channel?.unref();

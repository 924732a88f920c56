// `cwx-fake record`: its flags and help. Its runner is loaded on demand, to keep the start of `serve` fast.
import { targetToken } from '../../settings.js';
import type { Command } from '../command.js';

export const record: Command = {
  name: 'record',
  summary: 'Write the requests and answers of a sandbox as a scenario, on standard output: a session becomes a test.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: [
    {
      name: 'from',
      value: 'capsule.json|url',
      description:
        'a capsule, or a running fake: the sandbox in the URL, as in http://127.0.0.1:8080/~job-7, or default',
    },
    {
      name: 'entries',
      value: 'a-b',
      description: 'only these journal entries, by id',
      check: text => (rangeIn(text) === undefined ? 'it must be a range of entry ids such as 3-7, 3- or 3' : undefined),
    },
    targetToken,
  ],
  examples: [
    [
      'cwx-fake record --from http://127.0.0.1:8080/~job-7 > scenarios/what-happened.yaml',
      'from a sandbox of a running fake',
    ],
    ['cwx-fake record --from capsule.json --entries 3-7', 'five entries of a capsule'],
  ],
  async run(args, process) {
    const { runRecord } = await import('./record-run.js');
    return runRecord(args, process, rangeIn(String(args.values.entries ?? '1-')));
  },
};

/** `3-7`, `3-` or `3`; otherwise `undefined`. */
export function rangeIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, dash, to] = /^(\d{1,15})(?:(-)(\d{1,15})?)?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? Number.MAX_SAFE_INTEGER : Number(to);
  return first >= 1 && first <= last ? { from: first, to: last } : undefined;
}

// `cwx-fake record`: what it is called and takes. What records is loaded when it is asked for, so that serving does not wait for it.
import type { Command } from '../command.js';

export const record: Command = {
  name: 'record',
  summary:
    'Write what a sandbox was asked and answered as a scenario, on standard output: from it happened to it is a test.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: [
    {
      name: 'from',
      value: 'capsule.json|url',
      description:
        'a capsule, or a fake that is running: the sandbox that the URL names as in http://127.0.0.1:8080/~job-7, else default',
    },
    {
      name: 'entries',
      value: 'a-b',
      description: 'only these entries of the journal, by their ids',
      check: text => (rangeIn(text) === undefined ? 'it takes ids of entries, such as 3-7, 3- or 3' : undefined),
    },
    {
      name: 'control-token',
      value: 't',
      description: 'the token that the control API of the fake takes',
      isSecret: true,
    },
  ],
  examples: [
    [
      'cwx-fake record --from http://127.0.0.1:8080/~job-7 > scenarios/what-happened.yaml',
      'from a sandbox of a fake that is running',
    ],
    ['cwx-fake record --from capsule.json --entries 3-7', 'from a capsule, five entries of it'],
  ],
  async run(args, process) {
    const { runRecord } = await import('./record-run.js');
    return runRecord(args, process, rangeIn(String(args.values.entries ?? '1-')));
  },
};

/** `3-7`, `3-` or `3`; `undefined` where it is none of these. */
export function rangeIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, dash, to] = /^(\d{1,15})(?:(-)(\d{1,15})?)?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? Number.MAX_SAFE_INTEGER : Number(to);
  return first >= 1 && first <= last ? { from: first, to: last } : undefined;
}

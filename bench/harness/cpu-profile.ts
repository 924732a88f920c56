// A V8 processor profile, summed up by who wrote the code: Node, each package, each part of cwx-fake, the collector. Knows no server.

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Share {
  readonly name: string;
  /** Of the time that was not idle. */
  readonly share: number;
}

/** Self time by group and by function, greatest first. */
export function summary(profile: CpuProfile): { groups: Share[]; functions: Share[] } {
  const nodes = new Map(profile.nodes.map(node => [node.id, node]));
  const groups = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  for (const [i, id] of profile.samples.entries()) {
    const node = nodes.get(id);
    const time = profile.timeDeltas[i] ?? 0;
    if (node === undefined || node.callFrame.functionName === '(idle)') continue;
    const group = groupOf(node);
    const { functionName, lineNumber } = node.callFrame;
    busy += time;
    groups.set(group, (groups.get(group) ?? 0) + time);
    const name = `${group}: ${functionName || 'anonymous'}${lineNumber < 0 ? '' : `, line ${lineNumber + 1}`}`;
    functions.set(name, (functions.get(name) ?? 0) + time);
  }
  return { groups: shares(groups, busy), functions: shares(functions, busy) };
}

function shares(times: ReadonlyMap<string, number>, busy: number): Share[] {
  return [...times].map(([name, time]) => ({ name, share: time / busy })).sort((a, b) => b.share - a.share);
}

/** Who wrote the code of a node: `koa`, `cwx-fake engine`, `node http`, `(garbage collector)`. */
export function groupOf({ callFrame: { functionName, url } }: ProfileNode): string {
  if (functionName.startsWith('(')) return functionName;
  if (url === '') return 'native calls';
  if (url.startsWith('node:')) return `node ${nodePart(url)}`;
  const path = url.split('/node_modules/').at(-1) ?? url;
  if (path !== url) return packageOf(path);
  const part = /\/dist\/modules\/server\/(.+)$/.exec(url)?.[1];
  return part === undefined ? 'other' : `cwx-fake ${part.includes('/') ? part.split('/')[0] : 'start'}`;
}

function packageOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function nodePart(url: string): string {
  if (url.includes('stream')) return 'streams';
  if (url.includes('http')) return 'http';
  if (/timers|process|async_hooks|promise/.test(url)) return 'event loop';
  if (/net|buffer/.test(url)) return 'net and buffers';
  return 'other';
}

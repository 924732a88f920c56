// A process for the tests beside it: opens file stores as its standard input says, one line each, and prints the result.
import { createInterface } from 'node:readline';
import type { Kept } from '../suite.js';
import { fill } from './filled.js';
import { opened } from './opened.js';

let store: Kept | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, folder = ''] = line.split(' ');
  if (verb === 'open') console.log(await open(folder));
  else if (verb === 'fill') {
    await open(folder);
    if (store !== undefined) await fill(store);
    console.log('filled');
  } else {
    await store?.close();
    store = undefined;
    console.log('closed');
  }
}
await store?.close();

async function open(folder: string): Promise<string> {
  try {
    store = await opened(folder);
    return 'opened';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

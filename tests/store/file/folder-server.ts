// A server on a folder, for the tests of kills, damage and full disks: creates groups and reads them back.
import { expect } from 'chai';
import type { Scratch } from '../../support/files/scratch.js';

/** The flags such a server is started with. */
export const flagsOn = (folder: Scratch) => [
  ...['--store', `file:${folder.path}/kept`, '--reading', 'unknown-group=create', '--journal', '1000000'],
  ...['--log', 'silent'],
];

interface Server {
  readonly url: string;
}

/** Creates a group; returns the id of the entry, or the status if it failed. */
export async function make({ url }: Server, sandbox: string, group: string) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ group, users: ['alice'] }),
  };
  const response = await fetch(`${url}/~${sandbox}/rest/cwxapiextension/latest/groups/add-users`, init);
  const text = await response.text();
  const id = Number(response.headers.get('x-request-id')?.split('.')[1]);
  return { status: response.status, group, id, text, headers: response.headers };
}

export async function at({ url }: Server, path: string): Promise<unknown> {
  const response = await fetch(`${url}/_fake/v1/sandboxes/${path}`);
  expect(response.status).to.equal(200);
  return response.json();
}

export const groupsOf = async (server: Server, sandbox: string) =>
  ((await at(server, `${sandbox}/world`)) as { groups: Record<string, string[]> }).groups;

// Sends a request of the journal again, with the credentials of its caller as the world has them.
import type { Sandbox } from '../client/control-client.js';
import type { Entry } from '../client/wire.js';
import { isJsonObject } from '../parts/changes/change.js';

/** The entry of the repeated request. */
export async function repeat(entry: Entry, inSandbox: Sandbox): Promise<number> {
  const { method, url, request, caller, ignoredCaller, readings } = entry;
  const before = (await inSandbox.journal()).entries.at(-1)?.id ?? 0;
  const isBodied = method !== 'GET' && method !== 'HEAD' && request.body !== undefined;
  await fetch(url, {
    method,
    credentials: 'omit',
    headers: {
      'X-Fake-Sandbox': inSandbox.name,
      'X-Atlassian-Token': 'no-check', // a browser sends it
      ...(await credentialsOf(caller ?? ignoredCaller, inSandbox)),
      ...(request.contentType !== '' && { 'Content-Type': request.contentType }),
      ...(readings !== undefined && { 'X-Fake-Reading': readings }),
    },
    ...(isBodied && { body: request.body }),
  }).catch(() => undefined); // a fault can break the connection; the journal has the request all the same
  const { entries } = await inSandbox.journal({ since: before });
  if (entries[0] === undefined) throw new Error('The request did not reach the sandbox.');
  return entries[0].id;
}

async function credentialsOf(user: string | undefined, inSandbox: Sandbox): Promise<Record<string, string>> {
  if (user === undefined || user === 'anonymous') return {};
  const { records } = await inSandbox.part({ collection: 'users', keys: [user] });
  const record = records[0]?.record;
  const password = isJsonObject(record) && typeof record.password === 'string' ? record.password : user;
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

// The command that sends a first request to the shown sandbox, with names of its world.
import { route } from '../live/route.js';
import { here } from '../live/sandbox.js';
import { isJsonObject } from '../parts/changes/change.js';
import { CopyButton } from '../parts/copy-button.js';
import { useResource } from '../parts/resource.js';

export function FirstRequest() {
  const { sandbox } = route.value;
  const base = `${location.origin}${sandbox === 'default' ? '' : `/~${sandbox}`}`;
  const inSandbox = here();
  const read = useResource(async () => {
    const [users, groups] = await Promise.all([
      inSandbox.part({ collection: 'users', limit: 20 }),
      inSandbox.part({ collection: 'groups', limit: 1 }),
    ]);
    const admin = users.records.find(({ record }) => isJsonObject(record) && record.admin === true);
    const caller = admin ?? users.records[0];
    const group = groups.records[0]?.key;
    if (caller === undefined || group === undefined) return 'empty';
    const user = users.records.find(({ key }) => key !== caller.key) ?? caller;
    const password = isJsonObject(caller.record) ? (caller.record.password ?? 'any') : 'any';
    return [`${caller.key}:${String(password)}`, group, user.key] as const;
  });
  if (read.value === undefined) return null;
  if (read.value === 'empty') return <p>Create a user and a group in the world first.</p>;
  const [credentials, group, user] = read.value;
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const command = `curl -X POST '${base}/rest/cwxapiextension/latest/groups/add-users' \\\n  -u ${quoted(credentials)} -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify({ group, users: [user] }))}`;
  return (
    <div class="command">
      <code>{command}</code>
      <CopyButton text={() => command}>Copy</CopyButton>
    </div>
  );
}

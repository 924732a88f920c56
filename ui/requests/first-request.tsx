// The command that sends a first request to the shown sandbox, with names of its world.
import { route } from '../live/route.js';
import { client } from '../live/sandbox.js';
import { isJsonObject } from '../parts/changes/change.js';
import { Command } from '../parts/copy-button.js';
import { useResource } from '../parts/resource.js';

export function FirstRequest() {
  const { sandbox } = route.value;
  const base = `${location.origin}${sandbox === 'default' ? '' : `/~${sandbox}`}`;
  const read = useResource(async () => {
    const inSandbox = client.in(sandbox);
    const [users, groups] = await Promise.all([
      inSandbox.part({ collection: 'users', limit: 20 }),
      inSandbox.part({ collection: 'groups', limit: 1 }),
    ]);
    const admin = users.records.find(({ record }) => isJsonObject(record) && record.admin === true);
    const user = users.records.find(({ key }) => key !== admin?.key);
    const password = isJsonObject(admin?.record) ? (admin.record.password ?? 'any') : 'any';
    return [
      `${admin?.key ?? 'admin'}:${String(password)}`,
      groups.records[0]?.key ?? 'group',
      user?.key ?? 'user',
    ] as const;
  }, [sandbox]);
  if (read.value.value === undefined) return null;
  const [credentials, group, user] = read.value.value;
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return (
    <Command
      text={`curl -X POST '${base}/rest/cwxapiextension/latest/groups/add-users' \\\n  -u ${quoted(credentials)} -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify({ group, users: [user] }))}`}
    />
  );
}

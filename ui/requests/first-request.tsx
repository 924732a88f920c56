// The command that sends a first request to the shown sandbox.
import { route } from '../live/route.js';
import { Command } from '../parts/copy-button.js';

export function FirstRequest() {
  const { sandbox } = route.value;
  const base = `${location.origin}${sandbox === 'default' ? '' : `/~${sandbox}`}`;
  return (
    <Command
      text={`curl -X POST '${base}/rest/cwxapiextension/latest/groups/add-users' \\\n  -u admin:admin -H 'Content-Type: application/json' \\\n  -d '{"group":"customers","users":["alice"]}'`}
    />
  );
}

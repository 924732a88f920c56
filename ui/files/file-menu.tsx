// Saving: the requests as a scenario, the world as a fixture. Opening: a scenario or a fixture.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Json, JsonObject } from '../client/wire.js';
import { route } from '../live/route.js';
import { client } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { isJsonObject } from '../parts/changes/change.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { openFile } from './opened-file.js';

export function FileMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const name = useSignal('');
  const { error, isBusy, run } = useAction();
  const { sandbox } = route.value;
  useEffect(() => {
    const close = (event: Event) => {
      const isKey = event instanceof KeyboardEvent;
      const menu = details.current;
      if (menu === null || !menu.open || (isKey && event.key !== 'Escape')) return;
      if (!isKey && event.target instanceof Node && menu.contains(event.target)) return;
      menu.open = false;
      if (isKey) menu.querySelector('summary')?.focus();
    };
    addEventListener('keydown', close);
    addEventListener('pointerdown', close);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('pointerdown', close);
    };
  }, []);
  const save = (file: string, type: string, text: () => Promise<string>) =>
    run(async () => {
      download(file, type, await text());
      if (details.current) details.current.open = false;
    });
  const sandboxed = client.in(sandbox);
  return (
    <details class="menu" ref={details}>
      <summary>File</summary>
      <div class="menu-body">
        <Button isOff={isBusy.value} onClick={() => save(`${sandbox}.yaml`, 'application/yaml', sandboxed.scenario)}>
          Save the requests as a scenario
        </Button>
        <Button isOff={isBusy.value} onClick={() => save(`${sandbox}.har`, 'application/json', sandboxed.har)}>
          Save the requests as HAR
        </Button>
        <Button
          isOff={isBusy.value}
          onClick={() =>
            save(`${sandbox}-world.yaml`, 'application/yaml', async () => fixtureText(await sandboxed.world(), sandbox))
          }
        >
          Save the world as a fixture
        </Button>
        <hr />
        <Button onClick={() => chooser.current?.click()}>Open a file…</Button>
        <p class="muted">or drop a scenario or a fixture on the page</p>
        <input
          ref={chooser}
          type="file"
          class="sr-only"
          tabIndex={-1}
          aria-label="Open a file"
          accept=".yaml,.yml,.json"
          onChange={event => {
            const [file] = event.currentTarget.files ?? [];
            name.value = file?.name ?? '';
            if (file) void openFile(file);
            if (details.current) details.current.open = false;
            event.currentTarget.value = '';
          }}
        />
        <ProblemNote error={error.value} />
      </div>
    </details>
  );
}

function download(file: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  URL.revokeObjectURL(address);
}

/** JSON is YAML, so no quoting of our own is needed. */
function fixtureText(world: JsonObject, sandbox: string): string {
  const parts = Object.entries(world).map(([name, part]) => partText(name, part));
  return `# The world of the sandbox ${sandbox}, saved by the dashboard: serve it with cwx-fake serve ./<this file>.\n${parts.join('')}`;
}

function partText(name: string, part: Json): string {
  if (!isJsonObject(part) || name === 'licence') return `${name}: ${JSON.stringify(part)}\n`;
  const records = Object.entries(part);
  if (records.length === 0) return `${name}: {}\n`;
  return `${name}:\n${records.map(([key, record]) => `  ${JSON.stringify(key)}: ${JSON.stringify(record)}\n`).join('')}`;
}

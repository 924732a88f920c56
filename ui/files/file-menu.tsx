// Saving: the requests as a scenario, the world as a fixture. Opening: a scenario or a fixture.
import { useRef } from 'preact/hooks';
import { route } from '../live/route.js';
import { here } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { prettyJson } from '../parts/json/json-text.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { openFile } from './opened-file.js';

export function FileMenu() {
  const menu = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const { error, isBusy, run } = useAction();
  const { sandbox } = route.value;
  const inSandbox = here();
  const save = (title: string, file: string, type: string, text: () => Promise<string>) => (
    <Button
      isOff={isBusy}
      onClick={() =>
        run(async () => {
          download(file, type, await text());
          menu.current?.hidePopover();
        })
      }
    >
      {title}
    </Button>
  );
  return (
    <>
      <button type="button" popovertarget="file-menu">
        File
      </button>
      <div class="menu" id="file-menu" popover="auto" ref={menu}>
        {save('Save the requests as a scenario', `${sandbox}.yaml`, 'application/yaml', inSandbox.scenario)}
        {save('Save the requests as HAR', `${sandbox}.har`, 'application/json', inSandbox.har)}
        {save('Save the world as a fixture', `${sandbox}-world.yaml`, 'application/yaml', async () => {
          const about = `The world of the sandbox ${sandbox}, saved by the dashboard: serve it with cwx-fake serve ./<this file>.`;
          return `# ${about}\n${prettyJson(await inSandbox.world())}\n`; // JSON is YAML
        })}
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
            if (file) void openFile(file);
            menu.current?.hidePopover();
            event.currentTarget.value = '';
          }}
        />
        <ProblemNote error={error} />
      </div>
    </>
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

// Accepts files dropped anywhere on the page.
import { signal } from '@preact/signals';
import { Dialog } from '../parts/dialog.js';
import { ProblemNote } from '../parts/problem-note.js';
import { openFile, unopened } from './opened-file.js';

const isOver = signal(false);

addEventListener('dragover', event => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  isOver.value = true;
});
addEventListener('dragleave', event => {
  if (event.relatedTarget === null) isOver.value = false;
});
addEventListener('drop', event => {
  event.preventDefault();
  isOver.value = false;
  const [file] = event.dataTransfer?.files ?? [];
  if (file) void openFile(file);
});

export function DropZone() {
  const { value } = unopened;
  return (
    <>
      {isOver.value && (
        <div class="drop-zone" aria-hidden="true">
          Drop a scenario or a fixture
        </div>
      )}
      {value !== undefined && (
        <Dialog title={`${value.file} was not opened`} onClose={() => (unopened.value = undefined)}>
          <ProblemNote error={value.error} />
        </Dialog>
      )}
    </>
  );
}

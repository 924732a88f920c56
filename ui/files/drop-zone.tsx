// Accepts files dropped anywhere on the page.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { ProblemNote } from '../parts/problem-note.js';
import { openFile, opening } from './opened-file.js';

export function DropZone() {
  const isOver = useSignal(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      isOver.value = true;
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      isOver.value = false;
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void openFile(file);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  const { value } = opening;
  return (
    <>
      {isOver.value && (
        <div class="drop-zone" aria-hidden="true">
          Drop a scenario or a fixture
        </div>
      )}
      {value?.error !== undefined && (
        <Dialog title={`${value.file} was not opened`} onClose={() => (opening.value = undefined)}>
          <ProblemNote error={value.error} />
        </Dialog>
      )}
    </>
  );
}

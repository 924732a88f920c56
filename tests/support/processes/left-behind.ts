// Ends what a test file has started, however the file ends: a shell in a session of its own kills the processes and removes the folders, even
// after kill -9.
import { spawn } from 'node:child_process';

const watching = `
processes= folders= IFS='
'
without() { kept=; for one in $1; do [ "$one" = "$2" ] || kept="$kept$IFS$one"; done; }
while IFS=' ' read -r verb what; do
  case $verb in
    process) processes="$processes$IFS$what" ;;
    folder) folders="$folders$IFS$what" ;;
    ended) without "$processes" "$what"; processes=$kept ;;
    removed) without "$folders" "$what"; folders=$kept ;;
  esac
done
for one in $processes; do kill -9 "$one" 2>/dev/null; done
for one in $folders; do rm -rf "$one"; done`;

let write: ((line: string) => void) | undefined;

/** From now on, `what` ends with this process: the id of a process, or the path of a folder; or it is gone already. */
export function endsWithTest(kind: 'process' | 'folder' | 'ended' | 'removed', what: number | string): void {
  write ??= watcher();
  write(`${kind} ${what}\n`);
}

function watcher(): (line: string) => void {
  const child = spawn('sh', ['-c', watching], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  // a pipe to a child is a socket, which would keep this process from ending; the types know of it as a stream only
  (child.stdin as unknown as { unref(): void }).unref();
  return line => child.stdin.write(line);
}

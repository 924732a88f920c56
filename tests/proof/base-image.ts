// The base of our image without a registry: node, npm and a shell of this machine under the name that the Dockerfile has. For buildah, which needs no daemon.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a build and a start of the image run. */
const PROGRAMS = ['sh', 'env', 'ln', 'id', 'cat'];

const FOLDERS = 'usr/bin usr/lib/node_modules etc tmp home/node usr/local/bin proc dev sys'.split(' ');

/** The flags that give buildah a storage of its own below a folder. */
export function storageIn(folder: string): string[] {
  return ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
}

/** Calls buildah; throws with what it says. */
export function buildahIn(folder: string) {
  return (...args: readonly string[]): string =>
    execFileSync('buildah', [...storageIn(folder), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
}

export function makeBaseImage(buildah: ReturnType<typeof buildahIn>, name: string): void {
  const container = buildah('from', 'scratch');
  const root = buildah('mount', container);
  for (const place of FOLDERS) mkdirSync(join(root, place), { recursive: true });
  for (const [link, to] of [
    ['bin', 'usr/bin'],
    ['lib', 'usr/lib'],
    ['lib64', 'usr/lib64'],
  ] as const) {
    mkdirSync(join(root, to), { recursive: true });
    symlinkSync(to, join(root, link));
  }
  copyProgram(process.execPath, join(root, 'usr/bin/node'), root);
  for (const program of PROGRAMS) copyProgram(which(program), join(root, 'usr/bin', program), root);
  const npm = join(dirname(realpathSync(which('npm'))), '..');
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  chmodSync(join(root, 'tmp'), 0o1777);
  buildah('commit', '--quiet', '--rm', container, name);
}

/** A program and the libraries that it names. */
function copyProgram(from: string, to: string, root: string): void {
  cpSync(realpathSync(from), to);
  const libraries = execFileSync('ldd', [from], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  for (const [, library = ''] of libraries) {
    const place = join(root, library.startsWith('/usr') ? library : `/usr${library}`);
    if (existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true });
    cpSync(realpathSync(library), place);
  }
}

function which(program: string): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

// The package itself: its version and requirements.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../scenario/files/folders.js';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export function packageManifest(): Manifest {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as Manifest; // our own
}

export function packageVersion(): string {
  return packageManifest().version;
}

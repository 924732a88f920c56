// The package as it is published: packed from a copy of the sources, and installed from its file with what the registry has besides.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkOut } from './checkout.js';

const exec = promisify(execFile);

export interface Packed {
  /** The file, by its whole path. */
  readonly tarball: string;
  /** What is in it. */
  readonly files: readonly string[];
}

/** Packs from a clone that it makes in the folder. Default: one in which nothing is built before. */
export async function packFrom(
  folder: string,
  makeClone: (folder: string) => void | Promise<void> = checkOut,
): Promise<Packed> {
  const clone = join(folder, 'clone');
  await makeClone(clone);
  const { stdout } = await exec('npm', ['pack', '--json', '--pack-destination', folder], { cwd: clone });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: ReadonlyArray<{ path: string }> }]; // so npm documents it
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}

/** Installs packages as a user would; gives why the registry cannot be asked, if so. */
export async function install(cwd: string, ...packages: readonly string[]): Promise<string | undefined> {
  const flags = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefer-offline',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
  try {
    await exec('npm', ['install', ...flags, ...packages], { cwd });
    return undefined;
  } catch (error) {
    const { message } = error as Error; // so execFile rejects
    if (!/ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT/.test(message))
      throw error;
    return message.split('\n').find(line => /^npm error (?!code|errno|A complete)/.test(line)) ?? message;
  }
}

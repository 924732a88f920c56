// Checks of files: scenario, fixtures and readings, certificate, file watching.
import { X509Certificate } from 'node:crypto';
import { rmSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BadCertificate, tlsCredentials } from '../process/tls-credentials.js';
import { yamlFilesIn } from '../scenario/load/folders.js';
import { checkFile } from '../scenario/load/load.js';
import { isProblems, showProblem } from '../scenario/yaml/problem.js';
import { type Check, type Problem, sentence } from './check.js';
import type { Setup } from './doctor-setup.js';

/** Before its end, a certificate is reported for this long. */
const NOTICE_MS = 14 * 86_400_000;
/** Milliseconds to wait for the report of a new file. */
const WATCH_MS = 2_000;

export const fileChecks: ReadonlyArray<Check<Setup>> = [
  {
    name: 'scenario',
    fix: 'Correct the file or its name. cwx-fake check reports all errors of a file or folder.',
    shows: ({ settings }) => settings.scenario,
    problems: ({ settings, folders, loaded, readings }) => {
      const given = (['scenarios', 'fixtures'] as const).filter(kind => settings[kind] !== undefined);
      const files = given.flatMap(kind => yamlFilesIn(folders[kind][0] ?? ''));
      const own = [loaded, readings].flatMap(read => (isProblems(read) ? read.problems : []));
      return [...new Set([...own, ...files.flatMap(file => checkFile(file, folders))].map(showProblem))];
    },
  },
  {
    name: 'certificate',
    fix: 'Renew or correct the files of --tls-cert and --tls-key (PEM), or use --tls for a self-signed certificate.',
    concerns: ({ settings }) => settings.tlsCert !== undefined,
    problems: ({ settings }) => {
      try {
        return wrongDate(new X509Certificate(tlsCredentials(settings)?.certificate ?? ''));
      } catch (error) {
        if (error instanceof BadCertificate) return sentence(error.message);
        throw error;
      }
    },
  },
  {
    name: 'watch',
    fix: 'Use a folder on a local disk, or restart the fake after changes.',
    concerns: ({ settings }) => settings.watch,
    problems: async ({ loaded }) => {
      const folders = isProblems(loaded) ? [] : loaded.files.map(file => dirname(file));
      return (await Promise.all([...new Set(folders)].map(unnoticed))).flatMap(problem => problem || []);
    },
  },
];

function wrongDate({ validFrom, validTo }: X509Certificate): Problem {
  const [now, end] = [Date.now(), Date.parse(validTo)];
  if (Date.parse(validFrom) > now) return `The certificate is not valid before ${validFrom}.`;
  return end - now < NOTICE_MS && `The certificate ${end < now ? 'expired' : 'expires'} on ${validTo}.`;
}

/** Some network folders and mounts of containers do not report new files. */
async function unnoticed(folder: string): Promise<Problem> {
  const trial = join(folder, `.cwx-fake-doctor-${process.pid}`);
  try {
    const watcher = watch(folder);
    const noticed = new Promise<boolean>(resolve => {
      watcher.on('change', (_, name) => name === basename(trial) && resolve(true));
      setTimeout(resolve, WATCH_MS, false).unref();
    });
    writeFileSync(trial, '');
    return !(await noticed.finally(() => watcher.close())) && `Changes in ${folder} are not reported.`;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException; // of the file system
    return !['EACCES', 'EROFS', 'EPERM'].includes(code) && `${folder} cannot be watched: ${message}.`; // nothing changes in read-only folders
  } finally {
    rmSync(trial, { force: true });
  }
}

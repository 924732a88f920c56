// Checks of files: scenario, fixtures and readings, certificate.
import { X509Certificate } from 'node:crypto';
import { BadCertificate, tlsCredentials } from '../../server/process/tls-credentials.js';
import { yamlFilesIn } from '../../server/scenario/files/folders.js';
import { checkFile } from '../../server/scenario/load/load.js';
import { isProblems, showProblem } from '../../server/scenario/yaml/problem.js';
import { type Check, type Problem, sentence } from './check.js';
import type { Setup } from './doctor-setup.js';

/** Before its end, a certificate is reported for this long. */
const NOTICE_MS = 14 * 86_400_000;

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
];

function wrongDate({ validFrom, validTo }: X509Certificate): Problem {
  const [now, end] = [Date.now(), Date.parse(validTo)];
  if (Date.parse(validFrom) > now) return `The certificate is not valid before ${validFrom}.`;
  return end - now < NOTICE_MS && `The certificate ${end < now ? 'expired' : 'expires'} on ${validTo}.`;
}

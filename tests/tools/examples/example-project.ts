// The documentation's examples for test runners, in a project of their own that uses this package.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { blocks, pages } from '../../docs/markdown.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { linkPackages } from '../installed.js';

interface Example {
  readonly file: string;
  /** The words of the command in its first line. */
  readonly command: readonly string[];
  readonly text: string;
}

export const examples: readonly Example[] = pages
  .flatMap(({ text }) => [...blocks(text, 'ts'), ...blocks(text, 'js')])
  .flatMap(text => {
    const [, file, command] = /^\/\/ (\S+\.test\.m?[tj]s): (.+)\n/.exec(text) ?? [];
    return file === undefined || command === undefined ? [] : [{ file, command: command.split(' '), text }];
  });

/** A project with all of them in it. */
export function exampleProject(): Scratch {
  const project = scratch({ 'package.json': '{ "private": true, "type": "module" }\n' });
  const modules = join(project.path, 'node_modules');
  mkdirSync(modules);
  symlinkSync(packageFolder, join(modules, 'cwx-fake'));
  linkPackages(project.path, ['@types/chai', '@types/mocha', '@types/node', 'chai', 'mocha', 'tsx', 'vitest']);
  for (const { file, text } of examples) project.write(file, text);
  return project;
}

/** Runs a command as a user with everything installed. */
export function runExample(
  command: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const [program = '', ...args] = command[0] === 'npx' ? ['npx', '--no-install', ...command.slice(1)] : command;
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise(resolve => {
    execFile(program, args, { cwd, env: { ...env, NO_COLOR: '1', CI: 'true' } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });
}

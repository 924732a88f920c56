// What the types of the library and of its client let through and what not: one run of the compiler for both.
import { join } from 'node:path';
import { snippets as client } from './client/type-snippets.js';
import { snippets as library } from './fake/type-snippets.js';
import { packageFolder } from './support/built.js';
import { testSnippets } from './support/snippets.js';

describe('types:', () => {
  const compilerOptions = { types: ['node'], typeRoots: [join(packageFolder, 'node_modules/@types')] };
  testSnippets(
    { 'the library': library, 'the client lets through what the operations declare': client },
    compilerOptions,
  );
});

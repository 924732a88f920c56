// What the types of the library and its client, of operations and of stages accept and refuse: one run of the compiler for all.
import { join } from 'node:path';
import { snippets as library } from './library/library-type-snippets.js';
import { snippets as operations } from './operations/operation-type-snippets.js';
import { testSnippets } from './support/files/snippets.js';
import { packageFolder } from './support/processes/built.js';

describe('types:', () => {
  const compilerOptions = { types: ['node'], typeRoots: [join(packageFolder, 'node_modules/@types')] };
  testSnippets(
    {
      'the library': library,
      'an operation, a stage and an access may give only what they declared': operations,
    },
    compilerOptions,
  );
});

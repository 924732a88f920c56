// Generates two clients of an OpenAPI document into a folder: schema.d.ts by openapi-typescript, orval.ts by orval.
// Takes the document, the folder, and the URL that the client of orval asks.
// @ts-nocheck -- some of what it imports has no types
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

const [document, folder, baseUrl] = process.argv.slice(2);
const types = await openapiTypescript(JSON.parse(readFileSync(document, 'utf8')));
writeFileSync(join(folder, 'schema.d.ts'), astToString(types));
const target = join(folder, 'orval.ts');
await generate({ input: { target: document }, output: { target, client: 'fetch', mode: 'single', baseUrl } });

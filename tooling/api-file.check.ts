import { readFileSync } from 'node:fs';
import { makeOpenApi } from '@signalbox/contract/openapi';

/** Checks that the committed OpenAPI file matches the route table. */
const committed = readFileSync(new URL('../docs/api/openapi.json', import.meta.url), 'utf8');
if (committed !== `${JSON.stringify(makeOpenApi(), null, 2)}\n`) {
  console.error('docs/api/openapi.json does not match the route table: run `npm run generate` and commit the file.');
  process.exitCode = 1;
}

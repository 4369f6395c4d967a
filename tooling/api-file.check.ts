import { readFileSync } from 'node:fs';
import { makeOpenApi } from '@signalbox/contract/openapi';

/** The committed OpenAPI file is what the route table says today. */
const committed = readFileSync(new URL('../docs/api/openapi.json', import.meta.url), 'utf8');
if (committed !== `${JSON.stringify(makeOpenApi(), null, 2)}\n`) {
  console.error('docs/api/openapi.json is not what the route table says: run `npm run generate` and commit the file.');
  process.exitCode = 1;
}

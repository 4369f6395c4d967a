import { writeFileSync } from 'node:fs';
import { makeOpenApi } from './make-openapi.ts';

/** Writes the committed OpenAPI file. A check fails while it differs from the route table. */
const file = new URL('../../docs/api/openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(makeOpenApi(), null, 2)}\n`);

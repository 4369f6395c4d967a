import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withTable } from '../src/settings/settings-table.ts';

/** `npm run generate`: puts the table of settings into their page. */
const PAGE = fileURLToPath(new URL('../../docs/operations/settings.md', import.meta.url));
writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8')));

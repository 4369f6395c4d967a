import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settingsTable, withTable } from './settings-table.ts';

const PAGE = fileURLToPath(new URL('../../../docs/operations/settings.md', import.meta.url));

describe('docs/operations/settings.md', () => {
  it('lists every setting with its default (npm run generate updates the page)', () => {
    expect(readFileSync(PAGE, 'utf8')).toContain(`\n${settingsTable()}\n`);
  });

  it('keeps the text around the table when the table is replaced', () => {
    const page = withTable('# Settings\n\n| setting | default | meaning |\n| --- |\n| old |\n\n## More\n');
    expect(page).toMatch(/^# Settings\n\n\| setting/);
    expect(page).toMatch(/\| address of a PostgreSQL database \|\n\n## More\n$/);
    expect(page).not.toContain('| old |');
    expect(page).toContain('| `SIGNALBOX_PORT` | `3000` | port of the console and the API |');
  });

  it('shows a setting without a default as none', () => {
    expect(settingsTable()).toMatch(/\| `SIGNALBOX_LOCAL_REPOSITORY_ROOTS` \| none \|/);
  });
});

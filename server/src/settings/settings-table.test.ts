import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settingsTable, withTable } from './settings-table.ts';

const PAGE = fileURLToPath(new URL('../../../docs/operations/settings.md', import.meta.url));

describe('the settings page', () => {
  it('has every setting with the default of the server (else: npm run generate)', () => {
    expect(readFileSync(PAGE, 'utf8')).toContain(`\n${settingsTable()}\n`);
  });

  it('keeps the text around its table', () => {
    const page = withTable('# Settings\n\n| setting | default | meaning |\n| --- |\n| old |\n\n## More\n');
    expect(page).toMatch(/^# Settings\n\n\| setting/);
    expect(page).toMatch(/\| address of a PostgreSQL database \|\n\n## More\n$/);
    expect(page).not.toContain('| old |');
    expect(page).toContain('| `SIGNALBOX_PORT` | `3000` | port of the console and the API |');
  });

  it('shows settings without a default as not set', () => {
    expect(settingsTable()).toMatch(/\| `SIGNALBOX_LOCAL_REPOSITORY_ROOTS` \| none \|/);
  });
});

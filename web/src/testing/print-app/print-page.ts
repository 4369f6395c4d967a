import type { PageApp } from '../../apps/page-app.ts';
import { PAGE_APPS, type PageApps } from '../../apps/page-apps.ts';

/** The page's entry of the app that only tests have: it prints a file of the repository. */
const printPage: PageApp = {
  title: 'Print',
  features: {
    inventory: false,
    limit: false,
    checkMode: false,
    diff: false,
    vault: false,
    arguments: false,
    hostResults: false,
    plan: false,
  },
  file: {
    label: 'form.name',
    column: 'column.name',
    help: 'form.name',
    required: 'form.nameRequired',
    example: 'README.md',
    suggestions: (paths) => paths.filter((path) => path.endsWith('.md')),
  },
  command: ({ playbook }) => ['print', playbook],
  argumentsExample: '[]',
  errorPrefix: 'cat: ',
};

/** The table of the page with this app. */
export const APPS_WITH_PRINT: PageApps = { ...PAGE_APPS, print: printPage };

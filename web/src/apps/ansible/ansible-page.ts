import { APPS } from 'virtual:routes';
import { playbooksOf } from '../../ui/forms/repository-paths.ts';
import type { PageApp } from '../page-app.ts';
import { ansibleCommand } from './command-preview.ts';

export const ansiblePage: PageApp = {
  ...APPS.ansible,
  file: {
    label: 'templateForm.playbook',
    column: 'column.playbook',
    help: 'templateForm.playbookHelp',
    required: 'templateForm.playbookRequired',
    example: 'site.yml',
    suggestions: playbooksOf,
  },
  command: ansibleCommand,
  argumentsExample: '["--tags", "web"]',
  errorPrefix: 'ERROR!',
};

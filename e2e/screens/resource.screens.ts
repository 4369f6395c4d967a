import type { Page } from '@playwright/test';
import { dialogScreen, type Screen } from './screen.ts';
import { choose, inTurn, press, pressInDialog, selectAll, send } from './steps.ts';

/** The screens of forms that were sent empty, with their errors. */
const sendEmpty = async (page: Page): Promise<void> => {
  await send(page);
  await page.getByRole('dialog').getByText('Name is required').first().waitFor();
};

/** Forms of the templates and their views, with their messages for errors and for objects in use. */
const TEMPLATE_DIALOGS: readonly Screen[] = [
  dialogScreen('templates-change', 'templates', /^Change templates/, {
    open: inTurn(selectAll, press('Change')),
  }),
  dialogScreen('views', 'templates', 'Edit views', { open: press('Edit views') }),
  dialogScreen('labels', 'templates', 'Edit labels', { open: press('Edit labels') }),
  dialogScreen('views-new', 'templates', 'Edit views', { open: inTurn(press('Edit views'), press('New view')) }),
  dialogScreen('columns', 'templates', 'Columns', { open: press('Columns') }),
  dialogScreen('template-new', 'templates/new/edit', 'New template'),
  dialogScreen('template-new-errors', 'templates/new/edit', 'New template', { open: sendEmpty, again: send }),
  dialogScreen('template-new-build', 'templates/new/edit', 'New template', { open: choose('Build') }),
  dialogScreen('template-new-deploy', 'templates/new/edit', 'New template', { open: choose('Deploy') }),
  dialogScreen('template-edit', ({ templates }) => `templates/${templates.update}/edit`, /^Edit template/),
  dialogScreen('template-edit-survey', ({ templates }) => `templates/${templates.update}/edit`, /^Edit template/, {
    // Each press changes the name of the button, so the first one is that of the next variable.
    open: inTurn(...Array.from({ length: 6 }, () => pressInDialog('More options'))),
  }),
  dialogScreen('template-copy', ({ templates }) => `templates/new/edit?copy=${templates.production}`, 'New template'),
  dialogScreen('template-delete', ({ templates }) => `templates/${templates.fresh}`, /^Delete template/, {
    open: press(/^Delete Zertifikat/),
  }),
  dialogScreen(
    'template-cannot-delete',
    ({ templates }) => `templates/${templates.build}`,
    /^Can't delete the template/,
    {
      open: press('Delete Build shop'),
    },
  ),
];

/** Forms of the resources that templates use. */
const RESOURCE_DIALOGS: readonly Screen[] = [
  dialogScreen('key-new-ssh', 'keys?edit=new', 'New key'),
  dialogScreen('key-new-password', 'keys?edit=new', 'New key', {
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name: 'Login with password' }).click();
    },
  }),
  dialogScreen('key-new-errors', 'keys?edit=new', 'New key', { open: sendEmpty, again: send }),
  dialogScreen('key-edit', ({ resources }) => `keys?edit=${resources.keys.ssh}`, /^Edit key/),
  dialogScreen('key-uses', ({ resources }) => `keys?edit=${resources.keys.ssh}`, /^Edit key/, {
    open: async (page) => {
      await page.getByText('Used by').click();
      await page.getByRole('dialog').getByRole('link').first().waitFor();
    },
  }),
  dialogScreen('key-discard', 'keys?edit=new', 'New key', {
    open: async (page) => {
      await page.getByLabel('Name').fill('Halbfertig');
      await pressInDialog('Cancel')(page);
    },
  }),
  dialogScreen('key-delete', 'keys', /^Delete key/, { open: press('Delete Altes Konto') }),
  dialogScreen('key-cannot-delete', 'keys', /^Can't delete the key/, { open: press('Delete Ohne') }),
  dialogScreen('webhook-call', ({ webhook }) => `webhooks/${webhook}`, /^Received call/, {
    open: async (page) => {
      await page
        .getByRole('table', { name: 'Calls' })
        .getByRole('button', { name: /ago|now/ })
        .first()
        .click();
    },
  }),
  dialogScreen('webhook-renew', ({ webhook }) => `webhooks/${webhook}`, /^Renew the address/, {
    open: press('Renew address'),
  }),
  dialogScreen('webhook-delete', 'webhooks', /^Delete webhook/, { open: press(/^Delete Freigabe/) }),
  dialogScreen('schedule-new', 'schedules?edit=new', 'New schedule'),
  dialogScreen('freeze-window-new', 'schedules', 'New freeze window', { open: press('New freeze window') }),
  dialogScreen('inventory-new', 'inventory?edit=new', 'New inventory'),
  dialogScreen('inventory-edit', ({ resources }) => `inventory?edit=${resources.inventories.local}`, /^Edit inventory/),
  dialogScreen(
    'inventory-edit-yaml',
    ({ resources }) => `inventory?edit=${resources.inventories.yaml}`,
    /^Edit inventory/,
  ),
  dialogScreen(
    'inventory-edit-file',
    ({ resources }) => `inventory?edit=${resources.inventories.file}`,
    /^Edit inventory/,
  ),
  dialogScreen(
    'inventory-as-guest-edit',
    ({ resources }) => `inventory?edit=${resources.inventories.local}`,
    /Inventory/,
    { as: 'guest' },
  ),
  dialogScreen('inventory-delete', 'inventory', /^Delete inventory/, {
    open: press('Delete Produktion aus dem Repository'),
  }),
  dialogScreen('inventory-cannot-delete', 'inventory', /^Can't delete the inventory/, {
    open: press('Delete Rechenzentrum Süd'),
  }),
  dialogScreen('environment-new', 'environment?edit=new', 'New environment'),
  dialogScreen('environment-new-errors', 'environment?edit=new', 'New environment', {
    open: sendEmpty,
    again: send,
  }),
  dialogScreen(
    'environment-edit',
    ({ resources }) => `environment?edit=${resources.environments.full}`,
    /^Edit environment/,
  ),
  dialogScreen('environment-delete', 'environment', /^Delete environment/, { open: press('Delete Leer') }),
  dialogScreen('environment-cannot-delete', 'environment', /^Can't delete the environment/, {
    open: press('Delete Produktionsumgebung'),
  }),
  dialogScreen('repository-new', 'repositories?edit=new', 'New repository'),
  dialogScreen(
    'repository-edit',
    ({ resources }) => `repositories?edit=${resources.repositories.ssh}`,
    /^Edit repository/,
  ),
  dialogScreen('repository-delete', 'repositories', /^Delete repository/, { open: press('Delete Gemeinsame Rollen') }),
  dialogScreen('repository-cannot-delete', 'repositories', /^Can't delete the repository/, {
    open: press('Delete Betriebshandbuch'),
  }),
];

export const FORMS: readonly Screen[] = [...TEMPLATE_DIALOGS, ...RESOURCE_DIALOGS];

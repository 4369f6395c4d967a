import { dialogScreen, type Screen } from './screen.ts';
import { fromUserMenu, inTurn, press, pressInDialog } from './steps.ts';

/** Members, users, accounts, runners and the system. */
export const PEOPLE: readonly Screen[] = [
  dialogScreen('member-new', 'team', 'New Team Member', { open: press('New Team Member') }),
  dialogScreen('member-remove', 'team', /^Remove member/, { open: press('Remove João Figueiredo') }),
  dialogScreen('role-new', 'roles', 'New role', { open: press('New role') }),
  dialogScreen('role-edit', 'roles', /^Edit role/, { open: press(/^Edit Bereitschaft/) }),
  dialogScreen('role-delete', 'roles', /^Delete role/, { open: press(/^Delete Bereitschaft/) }),
  dialogScreen('grant-new', ({ templates }) => `templates/${templates.update}/access`, /^Grant access/, {
    open: press('Grant access'),
  }),
  dialogScreen('grant-edit', ({ templates }) => `templates/${templates.update}/access`, /^Edit grant/, {
    open: press('Edit the grant of Gästin Gutwein'),
  }),
  dialogScreen('grant-revoke', ({ templates }) => `templates/${templates.update}/access`, /^Take rights away/, {
    open: press('Take the rights of Gästin Gutwein away'),
  }),
  dialogScreen('member-templates', ({ templates }) => `templates/${templates.update}/access`, /^Rights on all/, {
    open: inTurn(press('Gästin Gutwein'), press('Everything Gästin Gutwein may do')),
  }),
  dialogScreen('leave', 'team', 'Leave Project', { as: 'guest', open: press('Leave Project') }),
  dialogScreen('user-new', '/users', 'New user', { open: press('New user') }),
  dialogScreen('user-edit', '/users', /^Edit user/, { open: press(/^Edit Annegret/) }),
  dialogScreen('user-edit-external', '/users?q=extern', /^Edit user/, { open: press('Edit Extern Angebunden') }),
  dialogScreen('user-password', '/users', /^Change password/, { open: press(/^Change the password of Annegret/) }),
  dialogScreen('user-delete', '/users', /^Delete user/, { open: press(/^Delete Annegret/) }),
  dialogScreen('account', 'history', /^Edit account/, { open: fromUserMenu('Edit Account') }),
  dialogScreen('account-unproven', 'history', /^Edit account/, { as: 'guest', open: fromUserMenu('Edit Account') }),
  dialogScreen('user-edit-unproven', '/users?q=gast', /^Edit user/, { open: press('Edit Gästin Gutwein') }),
  dialogScreen('account-password', 'history', /^Change password/, {
    open: inTurn(fromUserMenu('Edit Account'), pressInDialog('Change password')),
  }),
  dialogScreen('account-token', 'history', /^Edit account/, {
    as: 'guest',
    open: inTurn(
      fromUserMenu('Edit Account'),
      (page) => page.getByLabel('Token name').fill('Nächtliche Auswertung'),
      pressInDialog('Create token'),
    ),
  }),
  dialogScreen('account-token-limits', 'history', /^Edit account/, {
    open: async (page) => {
      await fromUserMenu('Edit Account')(page);
      await page.getByRole('combobox', { name: 'Permissions' }).click();
      await page.getByRole('option', { name: 'Read and run tasks' }).click();
      await page.getByRole('combobox', { name: 'Projects' }).click();
      await page.getByRole('option', { name: /^Infrastruktur/ }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Templates to run' }).waitFor();
    },
  }),
  dialogScreen('service-new', '/users', 'New user', {
    open: async (page) => {
      await press('New user')(page);
      await page.getByRole('checkbox', { name: 'Service account' }).check();
    },
  }),
  dialogScreen('service-tokens', '/users?q=nachts', /^API tokens/, {
    open: press('API tokens of Nächtliche Bereitstellung'),
  }),
  dialogScreen('token-revoke', '/tokens', /^Revoke API token/, { open: press(/^Revoke Nächtliche/) }),
  dialogScreen('system', 'history', 'System information', { as: 'guest', open: fromUserMenu('System information') }),
  dialogScreen('runner-new', '/runners', 'New runner', { open: press('New runner') }),
  dialogScreen('runner-token', '/runners', 'Token of the runner', {
    open: async (page) => {
      await press('New runner')(page);
      // Both window widths add a member to the same installation, so their names must differ.
      await page
        .getByLabel('Name')
        .fill(`Bereitstellungsrechner ${page.viewportSize()?.width} ${Date.now() % 100_000}`);
      await pressInDialog('Add runner')(page);
    },
  }),
  dialogScreen('runner-registrations', '/runners', 'Registration tokens', { open: press('Registration tokens') }),
  dialogScreen('runner-registration-command', '/runners', 'Registration tokens', {
    open: async (page) => {
      await press('Registration tokens')(page);
      await page.getByRole('textbox', { name: 'Name of the token' }).fill('Rechenzentrum Frankfurt');
      await page.getByRole('button', { name: 'New registration token' }).click();
      await page.getByText('SIGNALBOX_REGISTRATION_TOKEN=').waitFor();
    },
  }),
  dialogScreen('runner-edit', '/runners', /^Edit runner/, { open: press(/^Edit /) }),
  dialogScreen('runner-remove', '/runners', /^Remove runner/, { open: press(/^Remove /) }),
  dialogScreen('receiver-new', 'settings', 'New receiver', { open: press('New receiver') }),
  dialogScreen('receiver-edit', 'settings', /^Edit receiver/, { open: press('Edit Bereitschaft') }),
  dialogScreen('receiver-delete', 'settings', /^Delete receiver/, { open: press('Delete Bereitschaft') }),
  dialogScreen('project-delete', 'settings', /^Delete project/, { open: press('Delete project') }),
];

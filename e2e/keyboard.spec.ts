import { expect, type Page, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { Keyboard } from './screens/keyboard.ts';

const PLAYBOOKS = {
  'greet.yml':
    '- name: Greet\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Print it\n      ansible.builtin.debug:\n        msg: "Hello {{ whom }}"\n',
  'wait.yml':
    '- name: Wait\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Wait for long\n      ansible.builtin.command: sleep 600\n',
};

const prepare = async (product: Product): Promise<void> => {
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Keys only', PLAYBOOKS);
  await project.template('greet.yml', {
    name: 'Greet',
    survey_vars: [{ name: 'whom', title: 'Whom to greet', required: true }],
  });
  await project.template('wait.yml', { name: 'Wait' });
  for (const title of ['Daily', 'Rare']) {
    await client.call('createView', { params: project.params, body: { title } });
  }
  await client.call('createUser', {
    body: { name: 'Mara', username: 'mara', email: 'mara@example.com', password: 'right horse' },
  });
};

// The focus must return although dialogs close with a transition.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Fails the test if a mouse button is pressed. */
const withoutMouse = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('mousedown', () => {
      throw new Error('The mouse was used.');
    });
  });

test('the main journeys work with the keyboard alone; the focus is always visible, and returns after a dialog', async ({
  page,
}) => {
  const product = await Product.start();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const keys = new Keyboard(page);
  const dialog = page.getByRole('dialog');
  const inDialog = (role: 'button' | 'textbox' | 'combobox' | 'checkbox', name: string | RegExp) =>
    dialog.getByRole(role, { name, exact: typeof name === 'string' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const go = async (screen: string, title: string): Promise<void> => {
    // Two keys are a shortcut only if the second follows soon. A busy machine may be too slow, so try again.
    await expect(async () => {
      await keys.press('g', screen);
      await expect(heading(title)).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
  };
  try {
    await prepare(product);
    await withoutMouse(page);

    await test.step('sign in', async () => {
      await page.goto(product.address);
      await expect(page.getByLabel('Username or email')).toBeFocused();
      await keys.type('admin');
      await keys.to(page.getByLabel('Password', { exact: true }));
      await keys.type(product.adminPassword);
      await keys.press('Enter');
      await expect(heading('Dashboard')).toBeVisible();
    });

    await test.step('open the palette and go somewhere', async () => {
      await keys.to(page.getByRole('link', { name: 'Inventory' }));
      await keys.press('Control+k');
      await expect(dialog.getByRole('combobox')).toBeFocused();
      await keys.press('Escape');
      await expect(page.getByRole('link', { name: 'Inventory' })).toBeFocused();
      await keys.press('Control+k');
      await expect(dialog.getByRole('combobox')).toBeFocused();
      await keys.type('task temp');
      await expect(dialog.getByRole('option', { name: /Task Templates/ })).toHaveAttribute('aria-selected', 'true');
      await keys.press('Enter');
      await expect(heading('Task Templates')).toBeVisible();
    });

    await test.step('run a template with a survey', async () => {
      await keys.enter(page.getByRole('link', { name: 'Run Greet' }));
      await expect(inDialog('textbox', 'Message')).toBeFocused();
      await keys.type('By keys');
      await keys.press('Enter');
      await expect(dialog.getByText('Whom to greet is required')).toBeVisible();
      await expect(inDialog('textbox', /Whom to greet/)).toBeFocused();
      await keys.type('the world');
      await keys.press('Enter');
      await expect(page).toHaveURL(/[?&]t=1\b/);
      await expect(dialog.getByText('Success', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
      await expect(dialog).toContainText('Hello the world');
      await keys.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('link', { name: 'Run Greet' })).toBeFocused();
    });

    await test.step('follow a task and stop it', async () => {
      await keys.enter(page.getByRole('link', { name: 'Run Wait' }));
      await expect(inDialog('textbox', 'Message')).toBeFocused();
      await keys.press('Enter');
      await expect(page).toHaveURL(/[?&]t=2\b/);
      await expect(dialog.getByText('Running', { exact: true }).first()).toBeVisible();
      await keys.to(dialog.getByRole('tab', { name: 'Log' }));
      await keys.press('ArrowRight');
      await expect(dialog.getByRole('tab', { name: /^Hosts/ })).toBeFocused();
      await expect(page).toHaveURL(/tab=hosts/);
      await keys.to(inDialog('button', 'Stop'), 'Shift+Tab');
      await keys.press('Enter');
      await expect(dialog.getByText('Stopped', { exact: true }).first()).toBeVisible();
      await keys.press('Escape');
      await expect(page.getByRole('link', { name: 'Run Wait' })).toBeFocused();
    });

    await test.step('filter the templates and open one', async () => {
      await keys.press('/');
      await expect(page.getByRole('searchbox')).toBeFocused();
      await keys.type('gree');
      await expect(page.getByRole('link', { name: 'Wait', exact: true })).toBeHidden();
      await keys.enter(page.getByRole('link', { name: 'Greet', exact: true }));
      await expect(heading('Greet')).toBeVisible();
    });

    await test.step('create a key', async () => {
      await go('k', 'Key Store');
      await keys.enter(button('New key'));
      await expect(inDialog('textbox', 'Name')).toBeFocused();
      await keys.type('Doors');
      await keys.pick(inDialog('combobox', 'Type'), 'Login with password');
      await keys.to(dialog.getByLabel('Password', { exact: true }));
      await keys.type('a long password');
      await keys.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('row').filter({ hasText: 'Doors' })).toContainText('Login with password');
      await expect(button('New key')).toBeFocused();
    });

    await test.step('create a repository', async () => {
      await go('r', 'Repositories');
      await keys.enter(button('New repository'));
      await expect(inDialog('textbox', 'Name')).toBeFocused();
      await keys.type('Roles');
      await keys.to(inDialog('textbox', 'URL or path'));
      await keys.type('https://git.example/roles.git');
      await keys.to(inDialog('combobox', 'Branch'));
      await keys.type('main');
      await keys.pick(inDialog('combobox', 'Access key'), 'None');
      await keys.enter(inDialog('button', 'Save repository'));
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('row').filter({ hasText: 'Roles' })).toContainText('main');
      await expect(button('New repository')).toBeFocused();
    });

    await test.step('create a template', async () => {
      await go('t', 'Task Templates');
      await keys.enter(page.getByRole('link', { name: 'New template' }));
      await expect(inDialog('textbox', 'Name')).toBeFocused();
      await keys.type('Greet again');
      await keys.pick(inDialog('combobox', 'Repository'), 'Playbooks');
      await keys.to(inDialog('combobox', 'Playbook filename'));
      await keys.type('greet.yml');
      await keys.pick(inDialog('combobox', 'Inventory'), 'This machine');
      await keys.pick(inDialog('combobox', 'Environment'), 'Empty');
      await keys.enter(inDialog('button', 'Save template'));
      await expect(heading('Greet again')).toBeVisible();
    });

    await test.step('create a webhook', async () => {
      await go('w', 'Webhooks');
      await keys.enter(button('New webhook').first());
      await expect(heading('New webhook')).toBeVisible();
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      await keys.to(name);
      await keys.type('Greeted');
      await keys.pick(page.getByRole('combobox', { name: 'Template' }), 'Greet');
      await keys.to(page.getByLabel('Secret', { exact: true }));
      await keys.type('a long secret');
      await keys.enter(button('Add condition'));
      await keys.to(page.getByRole('textbox', { name: 'Path or name' }), 'Shift+Tab');
      await keys.type('$.action');
      await keys.press('Enter');
      await expect(page.getByText('Whom to greet is required')).toBeVisible();
      await expect(page.getByRole('textbox', { name: 'Whom to greet' })).toBeFocused();
      await keys.type('the caller');
      await keys.press('Enter');
      await expect(page.getByText('Copy the address now. It is not shown again.')).toBeVisible();
      await keys.enter(page.getByRole('navigation', { name: 'You are here' }).getByRole('link'));
      await expect(page.getByRole('link', { name: 'Greeted' })).toBeVisible();
    });

    await test.step('name a view and move it', async () => {
      await go('t', 'Task Templates');
      await keys.enter(button('Edit views'));
      await keys.enter(inDialog('button', 'New view'));
      await expect(dialog.locator('input:focus')).toBeVisible();
      await keys.type('Weekly');
      await keys.press('Enter');
      await expect(page.getByRole('link', { name: /^Weekly/ })).toBeAttached();
      await keys.to(inDialog('button', 'Move Weekly up'));
      await keys.press('Enter', 'Enter');
      const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
      await expect(views).toContainText(['All', 'Weekly', 'Daily', 'Rare']);
      await keys.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(button('Edit views')).toBeFocused();
    });

    await test.step('add a member and change the role', async () => {
      await go('m', 'Team');
      await keys.enter(button('New Team Member'));
      await expect(inDialog('combobox', 'User')).toBeFocused();
      await keys.pick(inDialog('combobox', 'User'), 'Mara (mara)');
      await keys.pick(inDialog('combobox', 'Role'), 'Guest');
      await keys.enter(inDialog('button', 'Add member'));
      await expect(dialog).toBeHidden();
      await expect(button('New Team Member')).toBeFocused();
      const role = page.getByRole('combobox', { name: 'Role of Mara' });
      await keys.pick(role, 'Manager');
      await expect(page.getByText('Mara is now Manager')).toBeVisible();
      await expect(role).toBeFocused();
    });

    await test.step('sign out', async () => {
      await keys.enter(page.getByRole('button', { name: /^admin/i }));
      await keys.to(page.getByRole('menuitem', { name: 'Sign Out' }), 'ArrowDown');
      await keys.press('Enter');
      await expect(page).toHaveURL(/\/auth\/login/);
      await expect(page.getByLabel('Username or email')).toBeFocused();
    });
    expect(errors).toEqual([]);
  } finally {
    await product.dispose();
  }
});

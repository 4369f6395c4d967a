import type { Page } from '@playwright/test';
import { pageScreen, type Screen } from './screen.ts';
import { press, selectAll } from './steps.ts';

const filterFor = (text: string) => (page: Page) => page.getByRole('searchbox').fill(text);

/** A provider with a dark colour, one with a bright colour, and one without a colour. */
const PROVIDERS = [
  { id: 'corp', name: 'Rechenzentrum', color: '#123456', icon: 'globe' },
  { id: 'git', name: 'Quelltextverwaltung der Fachabteilung Nord', color: '#ffcc00', icon: 'team' },
  { id: 'plain', name: 'Extern', color: '', icon: '' },
];

/** The pages of a project: filled, empty, and for a guest. Also the pages outside of projects. */
export const PAGES: readonly Screen[] = [
  pageScreen('sign-in', '/auth/login', 'Signalbox', { as: 'nobody' }),
  pageScreen('sign-in-providers', '/auth/login?error=clock', 'Signalbox', {
    as: 'nobody',
    prepare: (page) =>
      page.route('**/api/auth/login', (route) =>
        route.fulfill({ json: { login_with_password: true, oidc_providers: PROVIDERS } }),
      ),
    open: async (page) => page.getByRole('link', { name: 'Rechenzentrum' }).waitFor(),
  }),
  pageScreen('new-project', '/project/new', 'New project'),
  pageScreen('no-project', '/', 'New project', { as: 'stranger' }),
  pageScreen('history', 'history', 'Dashboard'),
  pageScreen('history-filtered', ({ filter }) => `history?status=error&filter=${filter}`, 'Dashboard'),
  pageScreen('history-selected', 'history', 'Dashboard', { open: selectAll }),
  pageScreen('activity', 'activity', 'Dashboard'),
  pageScreen('hosts', 'hosts', /Hosts|Dashboard/),
  pageScreen('one-host', 'hosts/1', /\w/),
  pageScreen('one-host-runs', 'hosts/1?show=runs', /\w/),
  pageScreen('one-host-failures', 'hosts/2?show=failures', /\w/),
  pageScreen('settings', 'settings', 'Dashboard'),
  pageScreen('billing', 'billing', 'Dashboard'),
  pageScreen('templates', 'templates', 'Task Templates'),
  pageScreen(
    'templates-of-view',
    ({ project, view }) => `/project/${project}/views/${view}/templates`,
    'Task Templates',
  ),
  pageScreen('templates-last-five', 'templates', 'Task Templates', {
    only: 'wide',
    open: press(/^Last tasks of Betriebssystem/),
  }),
  pageScreen('templates-selected', 'templates', 'Task Templates', { open: selectAll }),
  pageScreen('templates-no-match', 'templates', 'Task Templates', { open: filterFor('zzz') }),
  pageScreen('template', ({ templates }) => `templates/${templates.update}`, /^Betriebssystem/),
  pageScreen('template-build', ({ templates }) => `templates/${templates.build}`, 'Build shop'),
  pageScreen('template-never-run', ({ templates }) => `templates/${templates.fresh}`, 'Zertifikatserneuerung'),
  pageScreen('template-access', ({ templates }) => `templates/${templates.update}/access`, /^Access to/, {
    open: press('Gästin Gutwein'),
  }),
  pageScreen('roles', 'roles', 'Roles'),
  pageScreen('roles-of-system', '/roles', 'Roles'),
  pageScreen('schedules', 'schedules', 'Schedules'),
  pageScreen('schedules-selected', 'schedules', 'Schedules', { open: selectAll }),
  pageScreen('schedules-week', 'schedules?week=now', 'Schedules'),
  pageScreen('schedules-empty', ({ empty }) => `/project/${empty}/schedules`, 'Schedules'),
  pageScreen('overview', 'overview', 'Dashboard'),
  pageScreen('overview-empty', ({ empty }) => `/project/${empty}/overview`, 'Dashboard'),
  pageScreen('failures', 'failures', 'Failures'),
  pageScreen('failures-empty', ({ empty }) => `/project/${empty}/failures`, 'Failures'),
  pageScreen('webhooks', 'webhooks', 'Webhooks'),
  pageScreen('webhooks-empty', ({ empty }) => `/project/${empty}/webhooks`, 'Webhooks'),
  pageScreen('webhook-new', ({ templates }) => `webhooks/new?template=${templates.update}`, 'New webhook'),
  pageScreen('webhook-edit', ({ webhook }) => `webhooks/${webhook}`, /^Freigabe/, { open: press('Use the last call') }),
  pageScreen('webhook-as-guest', ({ webhook }) => `webhooks/${webhook}`, /^Freigabe/, { as: 'guest' }),
  pageScreen('schedules-all', '/schedules', 'Schedules of all projects'),
  pageScreen('tasks-active', '/tasks', 'Waiting and running tasks'),
  pageScreen('inventory', 'inventory', 'Inventory'),
  pageScreen('environment', 'environment', 'Environment'),
  pageScreen('keys', 'keys', 'Key Store'),
  pageScreen('keys-no-match', 'keys?q=zzz', 'Key Store'),
  pageScreen('repositories', 'repositories', 'Repositories'),
  pageScreen('team', 'team', 'Team'),
  pageScreen('users', '/users', 'Users'),
  pageScreen('confirm-email', '/confirm-email#token', 'Confirm your email address', { as: 'guest' }),
  pageScreen('confirm-email-as-admin', '/confirm-email#token', 'Confirm your email address'),
  pageScreen('system', '/system', 'System'),
  pageScreen('runners', '/runners', 'Runners'),
  pageScreen('runner', '/runners/1', 'local'),
  pageScreen('tokens', '/tokens', 'API tokens'),
  pageScreen('api', '/api/docs', 'API'),
  pageScreen('not-found', '/no/such/page', 'Not found'),
  pageScreen('project-not-found', '/project/4711/history', 'Not found', { breaks: true }),
  pageScreen('template-not-found', 'templates/4711', 'Not found', { breaks: true }),
  pageScreen('history-empty', ({ empty }) => `/project/${empty}/history`, 'Dashboard'),
  pageScreen('hosts-empty', ({ empty }) => `/project/${empty}/hosts`, /Hosts|Dashboard/),
  pageScreen('templates-empty', ({ empty }) => `/project/${empty}/templates`, 'Task Templates'),
  pageScreen('inventory-empty', ({ empty }) => `/project/${empty}/inventory`, 'Inventory'),
  pageScreen('environment-empty', ({ empty }) => `/project/${empty}/environment`, 'Environment'),
  pageScreen('keys-empty', ({ empty }) => `/project/${empty}/keys`, 'Key Store'),
  pageScreen('repositories-empty', ({ empty }) => `/project/${empty}/repositories`, 'Repositories'),
  pageScreen('templates-as-guest', 'templates', 'Task Templates', { as: 'guest' }),
  pageScreen('template-as-guest', ({ templates }) => `templates/${templates.update}`, /^Betriebssystem/, {
    as: 'guest',
  }),
  pageScreen('inventory-as-guest', 'inventory', 'Inventory', { as: 'guest' }),
  pageScreen('settings-as-guest', 'settings', 'Dashboard', { as: 'guest' }),
  pageScreen('team-as-guest', 'team', 'Team', { as: 'guest' }),
];

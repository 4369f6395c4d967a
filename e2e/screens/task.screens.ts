import { dialogScreen, menuScreen, pageScreen, type Screen } from './screen.ts';
import { press, pressInDialog, send } from './steps.ts';

/** Tasks in each of their states, on each of their tabs, and the dialogs that start them. */
export const TASKS: readonly Screen[] = [
  dialogScreen('task-log', ({ tasks }) => `templates?t=${tasks.success}&tab=log`, /Betriebssystem/),
  dialogScreen('task-hosts', ({ tasks }) => `templates?t=${tasks.success}&tab=hosts`, /Betriebssystem/),
  dialogScreen('task-result', ({ tasks }) => `templates?t=${tasks.failed}&tab=hosts`, /Datenbanksicherung/, {
    open: (page) =>
      page
        .getByRole('tabpanel')
        // Cells are drawn on a canvas; the table for screen readers has a button for each.
        .getByRole('button', { name: /: failed$|^failed: / })
        .first()
        .dispatchEvent('click'),
  }),
  dialogScreen('task-details', ({ tasks }) => `templates?t=${tasks.success}&tab=details`, /Betriebssystem/),
  dialogScreen('task-failed', ({ tasks }) => `history?t=${tasks.failed}`, /Datenbanksicherung/, {
    open: async (page) =>
      page
        .getByText(/Prüfsumme der Sicherung stimmt/)
        .first()
        .waitFor(),
  }),
  dialogScreen('task-compared', ({ tasks }) => `history?t=${tasks.failed}&tab=compare`, /Datenbanksicherung/),
  dialogScreen('task-failed-log', ({ tasks }) => `history?t=${tasks.failed}&tab=log`, /Datenbanksicherung/),
  dialogScreen('task-failed-hosts', ({ tasks }) => `history?t=${tasks.failed}&tab=hosts`, /Datenbanksicherung/),
  dialogScreen('task-running', ({ tasks }) => `history?t=${tasks.running}`, /Rolling restart/),
  dialogScreen('task-live-lost', ({ tasks }) => `history?t=${tasks.running}`, /Rolling restart/, {
    breaks: true,
    prepare: (page) => page.routeWebSocket(/\/api\/ws/, (socket) => socket.close()),
    open: (page) =>
      page
        .getByRole('dialog')
        .getByText(/The live connection was lost/)
        .waitFor(),
  }),
  dialogScreen('task-waiting', ({ tasks }) => `history?t=${tasks.waiting}`, /Rolling restart/),
  dialogScreen('task-stopped', ({ tasks }) => `history?t=${tasks.stopped}`, /Rolling restart/),
  dialogScreen('task-deployed', ({ tasks }) => `history?t=${tasks.deployed}&tab=details`, /Deploy shop/),
  dialogScreen('task-as-guest', ({ tasks }) => `history?t=${tasks.running}`, /Rolling restart/, { as: 'guest' }),
  dialogScreen('task-not-found', 'history?t=4711', /4711/, { breaks: true }),
  pageScreen('task-page', ({ tasks }) => `tasks/${tasks.success}`, /Betriebssystem/),
  pageScreen('task-page-failed', ({ tasks }) => `tasks/${tasks.failed}`, /Datenbanksicherung/, {
    open: async (page) =>
      page
        .getByText(/Prüfsumme der Sicherung stimmt/)
        .first()
        .waitFor(),
  }),
  dialogScreen('new-task', ({ templates }) => `templates?run=${templates.update}`, /^Betriebssystem/),
  dialogScreen('new-task-errors', ({ templates }) => `templates?run=${templates.update}`, /^Betriebssystem/, {
    open: async (page) => {
      await send(page);
      await page.getByText('Wartungsfenster is required').waitFor();
    },
    again: send,
  }),
  dialogScreen(
    'new-task-again',
    ({ templates, tasks }) => `templates?run=${templates.update}&again=${tasks.success}`,
    /^Betriebssystem/,
  ),
  dialogScreen(
    'new-task-retry',
    ({ templates, tasks }) => `templates?run=${templates.restore}&again=${tasks.failed}&limit=db-01,db-02`,
    /^Datenbanksicherung/,
  ),
  dialogScreen(
    'new-task-saved',
    ({ templates, launch }) => `templates?run=${templates.update}&launch=${launch}`,
    /^Betriebssystem/,
    { open: press('Save as launch') },
  ),
  menuScreen(
    'new-task-launches',
    ({ templates, launch }) => `templates?run=${templates.update}&launch=${launch}`,
    'Saved launches',
    { open: pressInDialog('Saved launches') },
  ),
  menuScreen('template-launches', ({ templates }) => `templates/${templates.update}`, /^Saved launches of/, {
    open: press(/^Saved launches of/),
  }),
  menuScreen('history-filter-menu', ({ filter }) => `history?status=stopped&filter=${filter}`, 'Saved filter', {
    open: press('Saved filter'),
  }),
  dialogScreen('history-filter-save', 'history?status=error', /^Save filter/, { open: press('Save filter') }),
  dialogScreen('history-filter-rename', ({ filter }) => `history?filter=${filter}`, /^Rename/, {
    open: async (page) => {
      await press('Saved filter')(page);
      await page.getByRole('menuitem', { name: 'Rename' }).click();
    },
  }),
  dialogScreen('new-build', ({ templates }) => `templates?run=${templates.build}`, /^Build shop/),
  dialogScreen('new-deploy', ({ templates }) => `templates?run=${templates.production}`, /^Deploy shop/),
  dialogScreen('new-task-as-guest', ({ templates }) => `templates?run=${templates.update}`, /^Betriebssystem/, {
    as: 'guest',
  }),
];

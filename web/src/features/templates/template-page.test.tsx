import type { References, Template } from '@signalbox/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { queryKey } from '../../api/keys.ts';
import { sampleSchedule, sampleTask, sampleTemplate } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import type { PagedState } from '../../ui/lists/list-state.ts';
import { dayAndTime, ownZone, zoneText } from '../../ui/time/when-text.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { TemplatePage } from './template-page.tsx';

const UNUSED: References = { templates: [], inventories: [], repositories: [], schedules: [], used_by_hidden: false };
const TASKS = Array.from({ length: 21 }, (_, at) =>
  sampleTask({ id: 40 - at, message: `Run ${40 - at}`, dry_run: at === 0 }),
);

interface Options {
  template?: Template;
  permissions?: number;
  /** Where the rights of the user differ from those of the role. */
  granted?: object[];
  references?: Given;
  schedules?: object[];
  /** Whether calls fail from now on. */
  isBroken?: () => boolean;
}

const showTemplate = async ({
  template,
  permissions = 5,
  granted = [],
  references,
  schedules = [],
  isBroken = () => false,
}: Options = {}) => {
  closeToast();
  const answers: Record<string, unknown> = {
    '/api/project/1/templates/1': template ?? sampleTemplate({ description: 'Asks every host whether it is there.' }),
    '/api/project/1/templates/1/tasks/last': TASKS,
    '/api/project/1/templates/1/schedules': schedules,
    '/api/project/1/views': [{ id: 3, project_id: 1, title: 'Releases', position: 0, restricted: false }],
    '/api/project/1/inventory': [{ id: 1, name: 'Frankfurt' }],
    '/api/project/1/environment': [{ id: 1, name: 'Production' }],
    '/api/project/1/repositories': [{ id: 1, name: 'Plays' }],
    '/api/projects': [{ id: 1, execution_environment: { kind: 'container', image: 'ghcr.io/team/ansible:2.19' } }],
    '/api/project/1/labels': [{ id: 4, project_id: 1, name: 'prod', colour: 'red' }],
    '/api/project/1/role': { role: 'manager', permissions, templates: granted },
  };
  const calls = answerCalls(({ method, path }) => {
    if (isBroken()) return { status: 500, body: { error: 'Out of order.' } };
    if (path.endsWith('/refs')) return references ?? { status: 200, body: UNUSED };
    return method === 'GET' ? { status: 200, body: answers[path] ?? [] } : { status: 204 };
  });
  const deleted: string[] = [];
  const { client } = await show(
    <TestState<PagedState> start={{}}>
      {(state, onState) => (
        <TemplatePage
          RunMenu={() => <button type="button">Launches</button>}
          Times={() => null}
          project={1}
          template={1}
          view={3}
          state={state}
          onState={onState}
          onDeleted={() => deleted.push('back')}
        />
      )}
    </TestState>,
  );
  await screen.findByRole('heading', { level: 1, name: 'Ping Site' });
  return { calls, client, deleted, user: userEvent.setup() };
};

describe('the page of a template', () => {
  it('shows what its import could not keep, and that schedules do not start it', async () => {
    await showTemplate({ template: sampleTemplate({ lost_at_import: ['limit', 'git_branch'] }) });
    expect(
      await screen.findByText(/^The import could not keep limit and git_branch.*Schedules don't start it/),
    ).toBeTruthy();
  });

  it('shows its description as Markdown, without HTML', async () => {
    const description = 'Read the [runbook](https://wiki.example.com/ping) **first**. <b>plain</b>';
    await showTemplate({ template: sampleTemplate({ description }) });
    const link = await screen.findByRole('link', { name: 'runbook' });
    expect(link.getAttribute('href')).toBe('https://wiki.example.com/ping');
    expect(screen.getByText('first').tagName).toBe('STRONG');
    expect(link.parentElement?.textContent).toBe('Read the runbook first. <b>plain</b>');
  });

  it('shows its description and the resources that it uses', async () => {
    await showTemplate();
    expect(screen.getByText('Asks every host whether it is there.')).toBeTruthy();
    const values = await waitFor(() => {
      const pairs = screen.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);
      expect(pairs).toContainEqual(['Repository', 'Plays']);
      expect(pairs).toContainEqual(['Webhooks', 'Add webhook']);
      expect(pairs.join()).toContain('As in the project');
      return pairs;
    });
    expect(values).toEqual([
      ['Playbook', 'ping.yml'],
      ['Type', 'Task'],
      ['Inventory', 'Frankfurt'],
      ['Environment', 'Production'],
      ['Repository', 'Plays'],
      ['Execution environment', 'Container ghcr.io/team/ansible:2.19 (As in the project)'],
      ['May be changed', 'Limit to hosts · Verbosity · Dry run · Diff'],
      ['Webhooks', 'Add webhook'],
    ]);
    expect(screen.getByRole('link', { name: 'Frankfurt' }).getAttribute('href')).toBe('/project/1/inventory?edit=1');
  });

  it('shows its own execution environment instead of that of its project', async () => {
    const requirements = 'ansible-core==2.19.1\nnetaddr';
    const execution_environment = { kind: 'virtual', requirements, requirements_file: '' } as const;
    await showTemplate({ template: sampleTemplate({ execution_environment }) });
    const term = await screen.findByText('Execution environment');
    expect(term.nextSibling?.textContent).toBe('Python virtual environment ansible-core==2.19.1 netaddr');
  });

  it('shows its labels, its options that have a value, and those that may be changed', async () => {
    const { options, prompts } = sampleTemplate();
    await showTemplate({
      template: sampleTemplate({
        labels: [4],
        options: { ...options, limit: 'web', verbosity: 2, diff: true },
        prompts: { ...prompts, limit: 'fixed', inventory_id: [1], priority: [5, 10], tags: 'any' },
      }),
    });
    expect((await screen.findByRole('link', { name: 'prod' })).getAttribute('href')).toContain('label=4');
    expect(screen.getByText('Limit to hosts web · Verbosity -vv · Diff')).toBeTruthy();
    const changeable = 'Only tags · Verbosity · Dry run · Diff · Inventory (Frankfurt) · Priority (+5, +10)';
    expect(screen.getByText('May be changed').nextSibling?.textContent).toBe(changeable);
  });

  it('shows when its schedules start it next', async () => {
    const day = (n: number) => `2026-12-0${n}T04:00:00.000Z`;
    const next = (n: number) => ({ next_start: day(n), next_times: [day(n)], next_freezes: [null] });
    const zone = zoneText(ownZone());
    const schedules = [
      sampleSchedule({ id: 1, cron_format: '5 4 1 1 3', ...next(2) }),
      sampleSchedule({ id: 2, name: 'Nightly', cron_format: '*/5 * * * *', ...next(1), repository_id: 1 }),
      sampleSchedule({ id: 3, name: 'Rare', cron_format: '', interval_seconds: 7200, next_times: [], active: false }),
      sampleSchedule({ id: 4, name: 'Once', cron_format: '', run_at: day(1), next_start: null, next_times: [] }),
    ];
    await showTemplate({ schedules: schedules.map((one) => ({ ...one, timezone: 'Asia/Tokyo' })) });
    const listed = (await screen.findByText('Schedules')).nextSibling as HTMLElement;
    await waitFor(() =>
      expect([...listed.children].map(({ textContent }) => textContent)).toEqual([
        `NightlyEvery 5 minutes, Tokyo · next run ${dayAndTime(day(1))}, ${zone} · Only after a new commit in Plays`,
        `5 4 1 1 3Tokyo · next run ${dayAndTime(day(2))}, ${zone}`,
        'RareEvery 2 hours, Tokyo · Paused',
        `OnceOnce, ${dayAndTime(day(1))}, ${zone} · Done`,
      ]),
    );
    expect(screen.getByRole('link', { name: 'Rare' }).getAttribute('href')).toBe('/project/1/schedules?edit=3');
    expect(screen.queryByText('Next start')).toBeNull();
  });

  it('shows when tasks really start in freeze windows, and five of many schedules', async () => {
    const at = (hour: number) => `2026-12-01T0${hour}:00:00.000Z`;
    const freeze = (name: string, held: boolean) => ({ window_id: 1, name, reason: 'Books', until: at(6), held });
    const skips = freeze('Audit', false);
    await showTemplate({
      schedules: [
        sampleSchedule({
          ...{ id: 1, name: 'Skipped', next_start: at(1), freeze: skips },
          ...{ next_times: [at(1), at(2), at(8)], next_freezes: [skips, skips, null] },
        }),
        sampleSchedule({
          ...{ id: 2, name: 'Held', next_start: at(6), freeze: freeze('Year end', true) },
          ...{ next_times: [at(3)], next_freezes: [freeze('Year end', true)] },
        }),
        ...[3, 4, 5, 6].map((id) => sampleSchedule({ id, name: `Paused ${id}`, active: false })),
      ],
    });
    const listed = (await screen.findByText('Schedules')).nextSibling as HTMLElement;
    const texts = [...listed.children].map(({ textContent }) => textContent);
    expect(texts[0]).toContain(`next run ${dayAndTime(at(6))}`);
    expect(texts[0]).toContain('held by Year end: Books');
    expect(texts[1]).toContain(`next run ${dayAndTime(at(8))}`);
    expect(texts[1]).toContain(`${dayAndTime(at(1))}, skipped by Audit`);
    expect(texts).toHaveLength(6);
    const all = screen.getByRole('link', { name: 'All 6 schedules' });
    expect(all.getAttribute('href')).toBe('/project/1/schedules?q=Ping+Site');
  });

  it('shows which tasks were dry runs', async () => {
    await showTemplate();
    const rowOf = async (id: number) => (await screen.findByRole('link', { name: `#${id}` })).closest('tr');
    expect((await rowOf(40))?.textContent).toContain('Dry run');
    expect((await rowOf(39))?.textContent).not.toContain('Dry run');
  });

  it('offers no webhook for a restricted template to a user with a grant', async () => {
    await showTemplate({ granted: [{ template_id: 1, restricted: true, rights: ['see', 'run', 'edit'] }] });
    await screen.findByText('Repository');
    await waitFor(() => expect(screen.getAllByRole('link', { name: /^Run again #/ })).toHaveLength(20));
    expect(screen.queryByRole('link', { name: 'Add webhook' })).toBeNull();
  });

  it('lists its tasks, 20 per page, each with a button to run it again', async () => {
    const { user } = await showTemplate();
    expect(await screen.findByText('1 to 20 of 21')).toBeTruthy();
    expect(screen.getAllByRole('link', { name: /^Run again #/ })).toHaveLength(20);
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(screen.getByRole('link', { name: 'Run again #20' }).getAttribute('href')).toContain('again=20');
  });

  it('keeps the loaded tasks when a refetch fails, shows the error, and loads again', async () => {
    let isBroken = false;
    const { client, user } = await showTemplate({ isBroken: () => isBroken });
    await screen.findByText('1 to 20 of 21');
    isBroken = true;
    await act(() => client.refetchQueries({ queryKey: queryKey.templateTasks(1, 1, 200) }));
    expect(await screen.findByText('Out of order.')).toBeTruthy();
    expect(screen.getByText('1 to 20 of 21')).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText('Out of order.')).toBeNull());
  });

  it('requests the newest 200 tasks', async () => {
    const { calls } = await showTemplate();
    const asked = calls.find(({ path }) => path.endsWith('/tasks/last'));
    expect(asked?.query.get('limit')).toBe('200');
  });

  it('links back to the view from which it was opened, and to its copy and its form', async () => {
    await showTemplate();
    await screen.findByRole('link', { name: 'Copy template' });
    await screen.findByRole('link', { name: 'Releases' });
    const target = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(target('Task Templates')).toBe('/project/1/templates');
    expect(target('Releases')).toBe('/project/1/views/3/templates');
    expect(target('Copy template')).toBe('/project/1/templates/new/edit?copy=1&view=3');
    expect(target('Edit template')).toBe('/project/1/views/3/templates/1/edit');
    expect(target('Run Ping Site')).toContain('run=1');
  });

  it('warns before a deletion that a schedule starts the template', async () => {
    const next_times = ['2026-12-01T04:00:00.000Z'];
    const schedules = [
      sampleSchedule({ id: 1, next_times, next_start: next_times[0] ?? null }),
      sampleSchedule({ id: 2, active: false, next_times: [] }),
    ];
    const { user } = await showTemplate({ schedules });
    await user.click(await screen.findByRole('button', { name: 'Delete Ping Site' }));
    expect(await screen.findByText(/^It has 1 active schedule\. Next start: .*2026/)).toBeTruthy();
  });

  it('is deleted after a confirmation, shows a toast and goes back to the list', async () => {
    const { calls, deleted, user } = await showTemplate();
    await user.click(await screen.findByRole('button', { name: 'Delete Ping Site' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Delete template/ }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(deleted).toEqual(['back']));
    expect(currentToast()?.text).toBe('Template "Ping Site" deleted');
    expect(calls.at(-1)?.method === 'DELETE' || calls.some(({ method }) => method === 'DELETE')).toBe(true);
  });

  it('cannot be deleted while other templates use it, and names them', async () => {
    const body = { ...UNUSED, templates: [{ id: 2, name: 'Deploy shop' }] };
    const { user } = await showTemplate({ references: { status: 200, body } });
    await user.click(await screen.findByRole('button', { name: 'Delete Ping Site' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Can't delete the template/ }));
    expect(dialog.getByRole('link', { name: 'Deploy shop' })).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Delete' })).toBeNull();
  });

  it.each([
    ['no button for guests', 0, 0],
    ['buttons to run it, and no others, for members who may only run it', 1, 1],
  ])('has %s', async (_, permissions, runs) => {
    const { calls, client } = await showTemplate({ permissions });
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/role'))).toBe(true));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.queryAllByRole('link', { name: 'Run Ping Site' })).toHaveLength(runs);
    expect(screen.queryAllByRole('button', { name: 'Launches' })).toHaveLength(runs);
    expect(screen.queryAllByRole('link', { name: /^Run again/ }).length > 0).toBe(runs > 0);
    expect(screen.queryByRole('button', { name: 'Delete Ping Site' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Edit template' })).toBeNull();
  });
});

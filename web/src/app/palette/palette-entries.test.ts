import { describe, expect, it } from 'vitest';
import { sampleTemplate } from '../../testing/sample.ts';
import { dataEntries, findEntries, type PaletteEntry, scoreOf, typedTask } from './palette-entries.ts';

const entry = (title: string, kind = 'Template'): PaletteEntry => ({
  id: title,
  icon: 'task',
  title,
  kind,
  open: () => undefined,
});

describe('the palette', () => {
  it('finds entries by every search term, and ranks matches at the start of a term first', () => {
    const entries = ['Redeploy', 'Nightly deploy', 'Deploy to Production'].map((title) => entry(title));
    expect(findEntries(entries, 'deploy').map(({ title }) => title)).toEqual([
      'Deploy to Production',
      'Nightly deploy',
      'Redeploy',
    ]);
    expect(findEntries(entries, 'prod dep').map(({ title }) => title)).toEqual(['Deploy to Production']);
    expect(findEntries(entries, 'nothing')).toEqual([]);
    expect(findEntries(entries, ' ')).toHaveLength(3);
    expect(scoreOf('Deploy', 'x')).toBeUndefined();
  });

  it('has recent entries first, also among equally good matches', () => {
    const entries = ['One', 'Two', 'Three'].map((title) => entry(title));
    const recent = { ids: ['Gone', 'Three', 'Two'], heading: 'Recent' };
    const shown = findEntries(entries, '', recent);
    expect(shown.map(({ title, group }) => [title, group])).toEqual([
      ['Three', 'Recent'],
      ['Two', 'Recent'],
      ['One', undefined],
    ]);
    expect(findEntries(entries, 't', recent).map(({ title }) => title)).toEqual(['Two', 'Three', 'One']);
  });

  it('shows at most as many entries as are visible without scrolling', () => {
    expect(
      findEntries(
        Array.from({ length: 500 }, (_, n) => entry(`Template ${n}`)),
        'template',
      ),
    ).toHaveLength(12);
  });

  it.each([
    ['12', 12],
    ['#12', 12],
    [' #7 ', 7],
    ['12a', undefined],
    ['', undefined],
    ['99999999999', undefined],
  ])('takes %j for the task %s', (typed, task) => {
    expect(typedTask(typed)).toBe(task);
  });

  it('runs and opens the chosen entry', () => {
    const done: string[] = [];
    const entries = dataEntries(
      {
        templates: [sampleTemplate({ id: 3, name: 'Ping' }), sampleTemplate({ id: 4, name: 'Only seen' })],
        projects: [
          {
            id: 9,
            name: 'Lab',
            alert: false,
            alert_chat: '',
            alert_language: 'en',
            alert_silent_hosts: false,
            collect_facts: true,
            keep_tasks_days: null,
            keep_logs_days: null,
            keep_tasks_min: null,
            runner_tags: [],
            execution_environment: null,
            max_parallel_tasks: 0,
            created: '2026-11-21T10:00:00.000Z',
          },
        ],
        mayRun: (id) => id === 3,
      },
      { template: 'Template', project: 'Project' },
      {
        runTemplate: (id) => done.push(`run ${id}`),
        openTemplate: (id) => done.push(`open ${id}`),
        openProject: (id) => done.push(`project ${id}`),
      },
    );
    for (const { open, run } of entries) {
      open();
      run?.();
    }
    expect(done).toEqual(['open 3', 'run 3', 'open 4', 'project 9']);
  });
});

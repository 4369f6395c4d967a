import type { Schedule } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { ansiblePage } from '../../../apps/ansible/ansible-page.ts';
import { sampleSchedule, sampleTemplate, sampleVariable } from '../../../testing/sample.ts';
import { newScheduleValues, scheduleBody, scheduleStep } from './schedule-values.ts';
import { newTemplateValues, templateBody, templateProblems } from './template-values.ts';

const schedule = (id: number): Schedule => sampleSchedule({ id, repository_id: 3, name: 'Nightly' });

describe('the schedule of a saved template', () => {
  it.each([
    ['none, and a cron: it is created', [], '@daily', { step: 'create' }],
    ['none, and no cron: nothing', [], ' ', { step: 'none' }],
    ['one, and the cron cleared: it is deleted', [schedule(7)], '', { step: 'delete', id: 7 }],
    ['one, and a cron: it is updated', [schedule(7)], '@daily', { step: 'update', id: 7 }],
    ['several: they are left alone', [schedule(7), schedule(8)], '@daily', { step: 'none' }],
    ['one without a cron: it is left alone', [{ ...schedule(7), type: 'run_at' }], '', { step: 'none' }],
    ['several, and no cron: they are left alone', [schedule(7), schedule(8)], '', { step: 'none' }],
  ] as const)('%s', (_, schedules, cron, step) => {
    expect(scheduleStep(schedules, cron)).toEqual(step);
  });

  it('is sent unchanged if it was not edited', () => {
    expect(newScheduleValues([schedule(7), schedule(8)]).cron_format).toBe('');
    expect(scheduleBody(newScheduleValues([schedule(7)]), 2)).toEqual({
      template_id: 2,
      cron_format: '0 4 * * *',
      repository_id: 3,
      name: 'Nightly',
      active: true,
    });
  });
});

describe('the values of the template form', () => {
  const wrong = (change: object) =>
    Object.fromEntries(
      Object.entries(templateProblems({ ...newTemplateValues(undefined, undefined), ...change }, ansiblePage)).filter(
        ([, key]) => key !== undefined,
      ),
    );

  it('require the fields of every template and those of the type', () => {
    const always = {
      name: 'form.nameRequired',
      playbook: 'templateForm.playbookRequired',
      inventory_id: 'templateForm.inventoryRequired',
      repository_id: 'templateForm.repositoryRequired',
      environment_id: 'templateForm.environmentRequired',
    };
    expect(wrong({})).toEqual(always);
    expect(wrong({ type: 'build' })).toEqual({ ...always, start_version: 'templateForm.startVersionRequired' });
    expect(wrong({ type: 'deploy' })).toEqual({ ...always, build_template_id: 'templateForm.buildTemplateRequired' });
  });

  it.each([
    [{ arguments: '{}' }, 'arguments', 'code.array'],
    [{ arguments: '["' }, 'arguments', 'code.json'],
    [{ max_minutes: 'ten' }, 'max_minutes', 'templateForm.minutes'],
    [{ keep_tasks_days: '1.5' }, 'keep_tasks_days', 'form.wholeNumber'],
    [{ survey_vars: [{ key: 0, name: ' ' }] }, 'survey_vars', 'survey.nameRequired'],
    [
      {
        survey_vars: [
          { key: 0, name: 'a' },
          { key: 1, name: 'a ' },
        ],
      },
      'survey_vars',
      'survey.nameTwice',
    ],
  ])('refuses %j', (change, field, key) => {
    expect(wrong(change)[field]).toBe(key);
  });

  it('are sent unchanged if they were not edited', () => {
    const template = sampleTemplate({
      type: 'build',
      start_version: '1.0.0',
      max_duration: 90,
      keep_logs_days: 30,
      arguments: '["-v"]',
      survey_vars: [sampleVariable({ name: 'port', type: 'int', required: true })],
    });
    const { id: _i, project_id: _p, last_task: _t, last_task_id: _l, lost_at_import: _a, ...body } = template;
    expect(templateBody(newTemplateValues(template, undefined))).toEqual(body);
  });

  it('do not contain fields of another type', () => {
    const values = newTemplateValues(
      sampleTemplate({ type: 'deploy', build_template_id: 4, autorun: true }),
      undefined,
    );
    expect(templateBody({ ...values, type: '', start_version: '1' })).toMatchObject({
      start_version: null,
      build_template_id: null,
      autorun: false,
    });
  });
});

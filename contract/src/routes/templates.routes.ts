import { z } from 'zod';
import { References } from '../entities/resources.ts';
import { Task, TaskSorting } from '../entities/task.ts';
import { NewTemplate, Template, TemplateChange } from '../entities/template.ts';
import { pageQuery } from '../fields.ts';
import { REFUSED_FOR_TEMPLATE } from '../refused-fields.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { TaskStatus } from '../status.ts';
import { SurveyChoice } from '../survey/survey-variable.ts';
import { ChoiceParams, ProjectParams, TemplateParams, ViewParams } from './params.ts';

const Sorted = sortedBy(
  'name',
  'type',
  'version',
  'status',
  'last_task',
  'playbook',
  'inventory',
  'environment',
  'repository',
);

export const listTemplates = route({
  method: 'GET',
  path: '/project/{project_id}/templates',
  permission: member(),
  params: ProjectParams,
  query: Sorted,
  shared: true,
  status: 200,
  answer: z.array(Template),
  doc: 'The templates of a project by name, each with its newest task.',
});

export const listViewTemplates = route({
  method: 'GET',
  path: '/project/{project_id}/views/{view_id}/templates',
  permission: member(),
  params: ViewParams,
  query: Sorted,
  shared: true,
  status: 200,
  answer: z.array(Template),
  doc: 'The templates of one view by name, each with its newest task.',
});

export const createTemplate = route({
  method: 'POST',
  path: '/project/{project_id}/templates',
  permission: member('edit_templates'),
  params: ProjectParams,
  body: NewTemplate,
  refuses: REFUSED_FOR_TEMPLATE,
  status: 201,
  answer: Template,
  errors: ['conflict'],
  doc: 'Creates a template: what to run, where and with which credentials.',
});

export const getTemplate = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}',
  permission: member(),
  params: TemplateParams,
  status: 200,
  answer: Template,
  changedByRuns: ['last_task_id', 'last_task'],
  doc: 'One template with its newest task. Its ETag covers only what users can change.',
});

export const updateTemplate = route({
  method: 'PUT',
  path: '/project/{project_id}/templates/{template_id}',
  permission: member('edit_templates', 'edit'),
  params: TemplateParams,
  body: TemplateChange,
  refuses: REFUSED_FOR_TEMPLATE,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a template.',
});

export const deleteTemplate = route({
  method: 'DELETE',
  path: '/project/{project_id}/templates/{template_id}',
  permission: member('edit_templates'),
  params: TemplateParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use', 'conflict'],
  doc: 'Deletes a template with its schedules and tasks. Refused while one of its tasks is active.',
});

export const getTemplateReferences = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/refs',
  permission: member(),
  params: TemplateParams,
  status: 200,
  answer: References,
  doc: 'The deploy templates that use a build template.',
});

export const listChoices = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/choices/{variable}',
  permission: member('run_tasks', 'run'),
  params: ChoiceParams,
  status: 200,
  answer: z.array(SurveyChoice),
  errors: ['conflict', 'unavailable'],
  doc: "The choices of a variable of the survey, which its source answers now. 409 if the source has none or refuses, 503 if it can't be reached.",
});

export const listTemplateTasks = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/tasks',
  permission: member(),
  params: TemplateParams,
  query: TaskSorting.extend({ status: TaskStatus.optional(), ...pageQuery(1000) }),
  paged: true,
  shared: true,
  status: 200,
  answer: z.array(Task),
  doc: 'The tasks of a template, newest first, optionally with one status only. Default limit: 1000.',
});

export const listLastTemplateTasks = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/tasks/last',
  permission: member(),
  params: TemplateParams,
  query: TaskSorting.extend(pageQuery(200)),
  paged: true,
  shared: true,
  status: 200,
  answer: z.array(Task),
  doc: 'The newest tasks of a template. Default limit: 200.',
});

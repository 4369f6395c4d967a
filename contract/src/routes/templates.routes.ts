import { z } from 'zod';
import { Task } from '../entities/task.ts';
import { NewTemplate, Template } from '../entities/template.ts';
import { countText } from '../fields.ts';
import { MEBIBYTE } from '../limits.ts';
import { member, route } from '../route.ts';
import { TaskStatus } from '../status.ts';
import { ProjectParams, TemplateParams, ViewParams } from './params.ts';

export const listTemplates = route({
  method: 'GET',
  path: '/project/{project_id}/templates',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(Template),
  doc: 'The templates of a project by name, each with its newest task.',
});

export const listViewTemplates = route({
  method: 'GET',
  path: '/project/{project_id}/views/{view_id}/templates',
  permission: member(),
  params: ViewParams,
  status: 200,
  answer: z.array(Template),
  doc: 'The templates of one view by name, each with its newest task.',
});

export const createTemplate = route({
  method: 'POST',
  path: '/project/{project_id}/templates',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: NewTemplate,
  bodyLimit: MEBIBYTE,
  status: 201,
  answer: Template,
  errors: ['conflict'],
  doc: 'Adds a template: what to run, where and with what.',
});

export const getTemplate = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}',
  permission: member(),
  params: TemplateParams,
  status: 200,
  answer: Template,
  doc: 'One template with its newest task.',
});

export const listTemplateTasks = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/tasks',
  permission: member(),
  params: TemplateParams,
  query: z.object({ status: TaskStatus.optional(), limit: countText(1, 1000).optional() }),
  status: 200,
  answer: z.array(Task),
  doc: 'The tasks of a template, newest first, on request only those with a status; 1,000 unless told.',
});

export const listLastTemplateTasks = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/tasks/last',
  permission: member(),
  params: TemplateParams,
  query: z.object({ limit: countText(1, 200).optional() }),
  status: 200,
  answer: z.array(Task),
  doc: 'The newest tasks of a template; 200 unless told.',
});

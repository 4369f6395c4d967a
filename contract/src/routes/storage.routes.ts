import { z } from 'zod';
import { FreedStorage, InstallationStorage, ProjectStorage } from '../entities/storage.ts';
import { countText } from '../fields.ts';
import { admin, member, route } from '../route.ts';
import { ProjectParams } from './params.ts';

export const getStorage = route({
  method: 'GET',
  path: '/project/{project_id}/storage',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: ProjectStorage,
  doc: 'What the tasks of a project use, by template, and how it grows.',
});

export const getFreedStorage = route({
  method: 'GET',
  path: '/project/{project_id}/storage/freed',
  permission: member('update_project'),
  params: ProjectParams,
  query: z.object({
    keep_tasks_days: countText(0, 36_500).optional().describe('Default: the setting of the system.'),
    keep_logs_days: countText(0, 36_500).optional().describe('Default: the setting of the system.'),
    keep_tasks_min: countText(1, 10_000).optional().describe('Default: the setting of the system.'),
  }),
  status: 200,
  answer: FreedStorage,
  doc: 'Estimates what settings of the project would free, without saving them. Templates with their own settings keep them.',
});

export const getStorageOfProjects = route({
  method: 'GET',
  path: '/storage',
  permission: admin,
  status: 200,
  answer: InstallationStorage,
  doc: 'What all projects use, how it grows, and when the disk of the database is full.',
});

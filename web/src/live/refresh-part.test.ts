import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { queryKey } from '../api/keys.ts';
import { refreshInstallation, refreshPart } from './refresh-part.ts';

const KEYS = {
  keys: queryKey.resources(1, 'keys'),
  foreign: queryKey.resources(2, 'keys'),
  inventory: queryKey.resources(1, 'inventory'),
  templates: queryKey.templates(1),
  template: queryKey.template(1, 5),
  schedules: queryKey.schedules(1, 5),
  team: queryKey.team(1),
  role: queryKey.role(1),
  hosts: queryKey.hosts(1),
  events: queryKey.events(1),
  projects: queryKey.projects,
};

it.each([
  ['keys', ['keys', 'events']],
  ['templates', ['templates', 'template', 'events']],
  ['schedules', ['schedules', 'events']],
  ['users', ['team', 'role', 'events']],
  ['project', ['events', 'projects']],
  ['tasks', ['events']],
  ['hosts', ['hosts', 'events']],
] as const)('a change of %s makes stale what the page has of it, and the activity', (part, stale) => {
  const client = new QueryClient();
  for (const key of Object.values(KEYS)) client.setQueryData(key, []);
  refreshPart(client, { type: 'changed', project_id: 1, part });
  const found = Object.entries(KEYS).filter(([, key]) => client.getQueryState(key)?.isInvalidated);
  expect(found.map(([name]) => name)).toEqual(stale);
});

it.each(['users', 'runners', 'projects'] as const)(
  'a change of %s of the installation makes those alone stale',
  (part) => {
    const client = new QueryClient();
    const keys = { users: queryKey.users, runners: queryKey.runners, projects: queryKey.projects, user: queryKey.user };
    for (const key of Object.values(keys)) client.setQueryData(key, []);
    refreshInstallation(client, { type: 'installation', part });
    const found = Object.entries(keys).filter(([, key]) => client.getQueryState(key)?.isInvalidated);
    expect(found.map(([name]) => name)).toEqual([part]);
  },
);

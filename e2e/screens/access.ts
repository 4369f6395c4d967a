import type { ApiClient } from '../../tooling/product/api-client.ts';

interface AccessSeed {
  readonly project: number;
  readonly template: number;
  readonly user: number;
  readonly inventory: number;
}

/** Adds a role of the project and of the system, and grants of every kind. */
export const seedAccess = async (client: ApiClient, { project, template, user, inventory }: AccessSeed) => {
  const params = { project_id: project };
  await client.call('createRole', {
    params,
    body: {
      name: 'Bereitschaftsdienst Anwendungsserver',
      starts_from: 'task_runner',
      rights: ['run_tasks', 'edit_schedules', 'edit_inventories'],
    },
  });
  await client.call('createSystemRole', { body: { name: 'Leitstand', rights: ['stop_tasks'] } });
  const grant = { template_id: template, rights: ['run' as const] };
  await client.call('createGrant', {
    params,
    body: { ...grant, user_id: user, inventory_id: inventory, limit: 'anwendungsserver:!datenbank' },
  });
  await client.call('createGrant', { params, body: { ...grant, role: 'guest', rights: ['see'] } });
  await client.call('createGrant', { params, body: { ...grant, group_name: 'plattform-bereitschaft' } });
};

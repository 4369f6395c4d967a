import type { RouteName } from '../src/route-table.ts';

/** A body for each call whose shape alone does not tell how it is used. Every one is a body that the call takes. */
export const REQUEST_EXAMPLES: Readonly<Partial<Record<RouteName, unknown>>> = {
  signIn: { auth: 'admin', password: 'correct horse battery staple' },
  createProject: { name: 'Storefront', max_parallel_tasks: 2 },
  createView: { title: 'Releases', position: 1 },
  createKey: {
    name: 'Deploy key',
    type: 'ssh',
    ssh: {
      login: 'deploy',
      private_key: '-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n',
    },
  },
  createRepository: {
    name: 'Playbooks',
    git_url: 'https://git.example.org/playbooks.git',
    git_branch: 'main',
    ssh_key_id: 1,
  },
  createInventory: { name: 'Production', type: 'static', inventory: '[web]\nweb-01.example.org\n', ssh_key_id: 2 },
  createEnvironment: { name: 'Production', json: '{"release": "stable"}', env: '{"ANSIBLE_FORCE_COLOR": "1"}' },
  createTemplate: {
    name: 'Deploy to production',
    type: 'deploy',
    playbook: 'deploy.yml',
    inventory_id: 1,
    environment_id: 1,
    repository_id: 1,
    build_template_id: 2,
    survey_vars: [{ name: 'region', title: 'Region', required: true }],
  },
  createTask: { template_id: 3, build_task_id: 41, message: 'Autumn release', environment: '{"region": "eu"}' },
  stopTask: { force: false },
};

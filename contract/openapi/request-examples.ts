import type { RouteName } from '../src/route-table.ts';

/** A body for each call whose shape alone does not tell how it is used. Every one is a body that the call takes. */
export const REQUEST_EXAMPLES: Readonly<Partial<Record<RouteName, unknown>>> = {
  signIn: { auth: 'admin', password: 'correct horse battery staple' },
  createToken: { name: 'Deploy script' },
  createUser: {
    name: 'Ada Example',
    username: 'ada',
    email: 'ada@example.org',
    password: 'correct horse battery staple',
  },
  updateUser: { name: 'Ada Example', alert: true },
  changePassword: { password: 'correct horse battery staple' },
  addProjectUser: { user_id: 2, role: 'task_runner' },
  updateProjectUser: { role: 'manager' },
  updateProject: { max_parallel_tasks: 4 },
  updateView: { title: 'Nightly' },
  placeViews: { 1: 0, 2: 1 },
  updateKey: { name: 'Deploy key of 2027' },
  updateRepository: { git_branch: 'release' },
  updateInventory: { inventory: '[web]\nweb-01.example.org\nweb-02.example.org\n' },
  updateEnvironment: {
    secrets: [{ name: 'API_TOKEN', type: 'env', secret: 'correct horse', operation: 'create' }],
  },
  updateTemplate: { allow_parallel_tasks: true },
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

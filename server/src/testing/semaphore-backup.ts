const SIZES = ['s', 'm', 's', ''].map((value) => ({ name: value.toUpperCase(), value }));

/** A backup as in the documentation of Semaphore UI, with parts that Signalbox does not support. */
export const SEMAPHORE_BACKUP = {
  meta: { name: 'homelab', alert: true, alert_chat: 'Test', max_parallel_tasks: 0, type: null },
  templates: [
    {
      inventory: 'Build',
      repository: 'Demo',
      environment: 'Empty',
      name: 'Roll out',
      runner_tag: 'edge',
      playbook: 'deploy.yml',
      app: 'ansible',
      type: 'deploy',
      build_template: 'Build',
      view: 'Build',
      vaults: [
        { vault_key: 'Vault Password', type: 'password' },
        { name: 'prod', vault_key: 'Vault Password', type: 'password' },
        { type: 'script', script: 'x.py' },
      ],
      survey_vars: [
        { name: 'size', title: 'Size', type: 'enum', values: SIZES, default_value: 's' },
        { name: 'pin', title: 'Pin', type: 'secret', default_value: '1234' },
        { name: 'empty', title: 'Empty', type: 'enum', values: null },
      ],
      task_params: {
        limit: ['web', 'db'],
        tags: ['base'],
        allow_override_limit: true,
        allow_override_inventory: true,
        allow_debug: false,
      },
      allow_override_branch_in_task: true,
      git_branch: 'dev',
      working_directory: '.',
    },
    {
      inventory: 'Build',
      repository: 'Demo',
      environment: 'Empty',
      name: 'Build',
      playbook: 'build.yml',
      app: 'ansible',
      arguments: '[]',
      vault_key: null,
      type: 'build',
      start_version: '1.0.0',
      build_template: null,
      view: 'Build',
      autorun: false,
      survey_vars: '[{',
      suppress_error_alerts: false,
      cron: '* * * * *',
    },
    { name: 'Cloud', playbook: '', app: 'terraform', inventory: 'Build', repository: 'Demo', environment: 'Empty' },
  ],
  repositories: [
    { name: 'Demo', git_url: 'https://git.example/demo.git', git_branch: 'main', ssh_key: 'None' },
    { name: 'Closed', git_url: 'https://ci:pa%40ss@git.example/x.git', git_branch: 'main', ssh_key: 'None' },
    { name: 'Keyed', git_url: 'https://ci:other@git.example/y.git', git_branch: 'main', ssh_key: 'Vault Password' },
  ],
  keys: [
    { name: 'None', type: 'none' },
    { name: 'Vault Password', type: 'login_password' },
  ],
  views: [{ title: 'Build', position: 0 }],
  inventories: [
    { name: 'Build', inventory: '', ssh_key: 'None', become_key: 'None', type: 'static' },
    { name: 'Space', inventory: 'default', ssh_key: 'None', type: 'terraform-workspace' },
  ],
  environments: [{ name: 'Empty', password: null, json: '{}', env: null }],
  integrations: [
    { name: 'Hook' },
    {
      ...{ name: 'Release', template: 'Build', auth_method: 'hmac', auth_header: 'X-Signature', auth_secret: 'None' },
      matchers: [
        { match_type: 'header', body_data_type: 'json', method: 'equals', key: 'X-Event', value: 'push' },
        { match_type: 'body', body_data_type: 'json', method: 'unequals', key: 'commits.[0].id', value: 'x' },
      ],
      extract_values: [
        { value_source: 'body', body_data_type: 'json', key: 'ref', variable: 'branch', variable_type: 'task' },
        { value_source: 'body', body_data_type: 'json', key: 'tag', variable: 'nowhere', variable_type: 'environment' },
      ],
    },
    {
      ...{ name: 'Token', template: 'Roll out', auth_method: 'token', auth_header: 'X-Token' },
      matchers: [{ match_type: 'body', body_data_type: 'string', method: 'contains', key: '', value: 'push' }],
      extract_values: [{ value_source: 'header', key: 'X-Folder', variable: 'folder', variable_type: 'task' }],
      task_params: { debug: true },
    },
    {
      ...{ name: 'Feed', template: 'Build', auth_method: '' },
      matchers: [{ match_type: 'body', body_data_type: 'xml', method: 'equals', key: 'a', value: 'b' }],
    },
    { name: 'Password', template: 'Build', auth_method: 'basic' },
  ],
};

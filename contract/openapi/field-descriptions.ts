/** What a field means wherever it occurs. A field that says more in one shape says it there, by `.describe()`. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  id: 'Id of the object.',
  project_id: 'Id of the project.',
  template_id: 'Id of the template.',
  task_id: 'Id of the task.',
  view_id: 'Id of the view.',
  key_id: 'Id of the key.',
  repository_id: 'Id of the repository.',
  inventory_id: 'Id of the inventory.',
  environment_id: 'Id of the environment.',
  user_id: 'Id of the user; null when it was nobody.',
  schedule_id: 'Id of the schedule.',
  active: 'Whether it starts tasks; false while it is paused.',
  cron_format: 'When it is due: five fields of a cron, or @hourly, @daily, @weekly, @monthly, @yearly.',
  token_id: 'Id of the token.',
  runner_id: 'Id of the runner.',
  name: 'Name as it stands in lists: on one line, at most 255 characters.',
  title: 'Title as people read it.',
  kind: 'What this record is about.',
  force: 'At once, without a chance to end well.',
  login: 'Name to log in with.',
  passphrase: 'Passphrase of the private key; empty for none.',
  private_key: 'The private key as text; never answered.',
  password: 'The password; never answered.',
  description: 'What it is for, in words.',
  created: 'When it was made.',
  username: 'Name to sign in with.',
  email: 'E-mail address.',
  alert: 'Whether messages about tasks are wanted.',
  message: 'A note on the task by whoever started it.',
  arguments: 'JSON text of an array: command-line arguments for the playbook, one an item.',
  limit: 'Host pattern that the run is limited to; empty for all hosts.',
  debug: 'Run with debugging output.',
  dry_run: 'Only check what would change.',
  diff: 'Show what changes in files.',
  position: 'Place in the order, from 0.',
  ssh_key_id: 'Id of the key that gives access.',
  role: 'Role in the project; empty for a system admin who is no member.',
  permissions: 'Sum of the rights: run tasks 1, update project 2, manage resources 4, manage users 8.',
  slug: 'The word that the API uses.',
  first: 'Number of the first item, from 1.',
  total: 'How many are stored so far.',
  admin: 'Whether the user is a system admin.',
  external: 'Whether another system keeps name, e-mail and password.',
  can_create_project: 'Whether the user may create projects.',
  billing: 'Kept as it is given; it has no effect.',
  secrets: 'Variables whose values are kept secret.',
  hosts: 'Names of hosts.',
  groups: 'Groups of hosts by name.',
  version: 'Version number.',
};

/** What a parameter of a query means. */
const IN_QUERY: Readonly<Record<string, string>> = {
  limit: 'At most so many.',
  user_id: 'Only those of the user with this id.',
  template_id: 'Only those of the template with this id.',
  status: 'Only tasks with this status.',
  from: 'Number of the first item wanted, from 1.',
  sort: 'Column to sort by.',
  order: 'Direction of the sort.',
};

/** What a field means in one shape. */
const IN_SHAPE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Project: {
    alert_chat: 'Chat that messages go to.',
    max_parallel_tasks: 'Tasks that run at the same time at most; 0 for no limit.',
  },
  NewProject: { alert_chat: 'Chat that messages go to.' },
  Event: {
    object_id: 'Id of what was changed.',
    object_type: 'Kind of what was changed.',
    description: 'What happened, as a sentence.',
    object_name: 'Name of what was changed.',
    project_name: 'Name of the project.',
    username: 'Who did it; empty when nobody did.',
    created: 'When it happened.',
  },
  Key: { type: 'What the key holds.' },
  NewKey: { type: 'What the key holds.', ssh: 'For the type `ssh`.', login_password: 'For the type `login_password`.' },
  Repository: {
    git_url: 'Address of the repository, or a path on the runner.',
    git_branch: 'Branch or tag; empty for a path.',
  },
  NewRepository: {
    git_url:
      'A path, or an address that starts with git://, file://, ssh:// or https://, or one for ssh such as git@host:path.',
    git_branch: 'Branch or tag; may be empty for a path only.',
  },
  Inventory: {
    type: 'Whether `inventory` is INI text, YAML text, or the path of a file.',
    inventory: 'The text, or the path inside the repository.',
    become_key_id: 'Id of the key that becomes another user.',
  },
  NewInventory: {
    type: 'Whether `inventory` is INI text, YAML text, or the path of a file.',
    inventory: 'The text, or the path inside the repository.',
    become_key_id: 'Id of the key that becomes another user.',
  },
  Environment: {
    json: 'JSON text of an object: extra variables of the playbook.',
    env: 'JSON text of an object: environment variables of the process.',
  },
  NewEnvironment: {
    json: 'JSON text of an object: extra variables of the playbook.',
    env: 'JSON text of an object of texts, numbers and booleans: environment variables of the process.',
  },
  Task: {
    status: 'Where the task is in its life.',
    tpl_type: 'Type of its template.',
    tpl_playbook: 'Playbook of its template.',
    build_task_id: 'Id of the build that a deploy takes.',
    build_task: 'The build that a deploy takes.',
    created: 'When it was asked for.',
    start: 'When a runner took it.',
    end: 'When it came to its end.',
    commit_hash: 'Commit that ran.',
    commit_message: 'First line of the message of that commit.',
    environment: 'JSON text of the survey answers.',
  },
  NewTask: { build_task_id: 'Id of a successful build; a deploy needs one.' },
  BuildTask: { version: 'Version that was built.' },
  LogRecord: {
    id: 'Number of the line, from 1.',
    time: 'When the line was written.',
    output: 'The line, with ANSI colours.',
  },
  Template: {
    type: 'Empty for a plain task.',
    playbook: 'Path of the playbook inside the repository.',
    vault_key_id: 'Id of the key with the vault password.',
    view_id: 'Id of the view that it belongs to.',
    start_version: 'Version of the first build.',
    build_template_id: 'Id of the build template that a deploy takes its builds from.',
    autorun: 'Whether a deploy starts by itself after each successful build.',
    suppress_success_alerts: 'Whether messages about success are left out.',
    allow_override_args_in_task: 'Whether a task may bring arguments of its own.',
    max_duration: 'Seconds after which a run is stopped; 0 for no limit.',
    allow_parallel_tasks: 'Whether several of its tasks may run at the same time.',
    survey_vars: 'Variables that are asked for at each start.',
    last_task_id: 'Id of its newest task.',
    last_task: 'Its newest task.',
  },
  SurveyVariable: {
    name: 'Name of the variable.',
    type: 'Empty for text, `int` for a whole number.',
    required: 'Whether an answer must be given.',
  },
  References: {
    templates: 'Templates that use it.',
    inventories: 'Inventories that use it.',
    repositories: 'Repositories that use it.',
    schedules: 'Schedules that use it.',
  },
  SecretVariable: {
    name: 'Name of the variable.',
    type: '`var` for an extra variable of the playbook, `env` for an environment variable.',
    operation: 'What is to be done; without it, an entry with an id is updated and one without is made.',
  },
  CurrentUser: {
    name: 'Name of the person.',
  },
  SignInBody: { password: 'Password of the user.' },
  SignInOptions: {
    oidc_providers: 'Systems that people may sign in with.',
    login_with_password: 'Whether a password is taken.',
    id: 'Name of the provider in addresses.',
    name: 'Name of the provider for people.',
    color: 'Colour of its button; may be empty.',
    icon: 'Icon of its button; may be empty.',
  },
  SystemInfo: { version: 'Version of this server.', database: 'Where the server keeps its data.' },
  HostStats: {
    ok: 'Steps that did what they should.',
    changed: 'Steps that changed something.',
    failures: 'Steps that failed.',
    ignored: 'Steps whose failure was ignored.',
    skipped: 'Steps that were skipped.',
    rescued: 'Steps whose failure was rescued.',
    unreachable: 'Steps at which the host could not be reached.',
  },
  PlayRecord: { play: 'Number of the play, from 1.', name: 'Name of the play.', hosts: 'How many hosts it is for.' },
  StepRecord: {
    step: 'Number of the step, from 1.',
    play: 'Number of its play.',
    name: 'Name of the step.',
    action: 'Module that it calls.',
    handler: 'Whether it is a handler.',
  },
  HostRecord: { step: 'Number of the step.', host: 'Name of the host.', result: 'How the step ended on it.' },
  StatsRecord: { hosts: 'The final counts of each host.' },
  Results: { records: 'What happened, in its order.' },
  View: { title: 'Title of the tab.' },
  NewView: { title: 'Title of the tab.' },
};

/** The words for a parameter of a path or a query, or undefined where nothing is known of it. */
export const describeParameter = (place: 'path' | 'query', name: string): string | undefined =>
  (place === 'query' ? IN_QUERY[name] : undefined) ?? EVERYWHERE[name];

/** The words for a field that has none in the contract, or undefined where nothing is known of it. */
export const describeField = (component: string, field: string): string | undefined => {
  const noun = component.replace(/^New|(?:Change|Input)+$/g, '');
  const shapes = [component, `New${noun}`, noun];
  return shapes.map((shape) => IN_SHAPE[shape]?.[field]).find((words) => words !== undefined) ?? EVERYWHERE[field];
};

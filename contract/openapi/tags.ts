interface Tag {
  readonly name: string;
  readonly description: string;
  /** Prefixes of its paths. The longest matching prefix of all tags wins. */
  readonly paths: readonly string[];
}

/** The tags of the API in the order of the documentation. */
const ALL: readonly Tag[] = [
  {
    name: 'System',
    description: 'The server and this API description.',
    paths: ['/ping', '/ready', '/info', '/metrics', '/system', '/storage', '/queue', '/openapi.json'],
  },
  { name: 'Session', description: 'Signing in and out, and the current user.', paths: ['/auth', '/user'] },
  {
    name: 'Second factor',
    description: 'The second factor of sign-ins: setup, recovery codes, turning it off.',
    paths: ['/user/second-factor', '/auth/second-factor'],
  },
  {
    name: 'API tokens',
    description: 'Tokens for programs that act as a user.',
    paths: ['/user/tokens', '/tokens', '/users/{user_id}/tokens'],
  },
  { name: 'Users', description: 'Users who can sign in.', paths: ['/users'] },
  { name: 'Runners', description: 'Runners execute tasks, on this machine and on others.', paths: ['/runners'] },
  {
    name: 'Projects',
    description: 'A project contains all objects below. Only its members have access.',
    paths: ['/projects', '/project/{project_id}', '/search'],
  },
  {
    name: 'Team',
    description: 'The members of a project and their roles.',
    paths: ['/roles', ...['users', 'me', 'role', 'roles', 'grants'].map((name) => `/project/{project_id}/${name}`)],
  },
  {
    name: 'Tasks',
    description: 'Runs of templates, with their logs and results.',
    paths: ['/project/{project_id}/tasks', '/tasks'],
  },
  {
    name: 'Hosts',
    description: 'The history of each host across all runs of a project.',
    paths: ['/project/{project_id}/hosts'],
  },
  {
    name: 'Templates',
    description: 'What to run, where and with which credentials.',
    paths: ['/project/{project_id}/templates'],
  },
  {
    name: 'Schedules',
    description: 'Times at which templates run automatically.',
    paths: ['/project/{project_id}/schedules', '/schedules'],
  },
  {
    name: 'Webhooks',
    description: 'Addresses at which other programs start tasks of a template.',
    paths: ['/project/{project_id}/webhooks', '/webhook'],
  },
  { name: 'Labels', description: 'Labels of templates.', paths: ['/project/{project_id}/labels'] },
  {
    name: 'Failures',
    description: 'Failures of a project: since when, how often, and what is known about them.',
    paths: ['/project/{project_id}/failures'],
  },
  {
    name: 'Overview',
    description: 'What needs a person in a project, and how its runs go.',
    paths: [
      '/project/{project_id}/overview',
      '/project/{project_id}/trends',
      '/project/{project_id}/feed',
      '/feed',
      '/badge',
    ],
  },
  {
    name: 'Freeze windows',
    description: 'Times in which tasks are not started.',
    paths: ['/project/{project_id}/freeze_windows'],
  },
  { name: 'Views', description: 'The tabs of the template list.', paths: ['/project/{project_id}/views'] },
  {
    name: 'Inventories',
    description: 'The hosts that playbooks run on.',
    paths: ['/project/{project_id}/inventory'],
  },
  {
    name: 'Environments',
    description: 'Variables of playbooks and processes.',
    paths: ['/project/{project_id}/environment'],
  },
  { name: 'Repositories', description: 'Sources of playbooks.', paths: ['/project/{project_id}/repositories'] },
  {
    name: 'Keys',
    description: 'Credentials, whose secrets are never returned.',
    paths: ['/project/{project_id}/keys'],
  },
  {
    name: 'Alerts',
    description: 'Alert receivers and the deliveries to them.',
    paths: ['/project/{project_id}/alerts', '/user/alerts'],
  },
  { name: 'Events', description: 'Log of actions.', paths: ['/events', '/project/{project_id}/events'] },
];

const beginnings = ALL.flatMap(({ name, paths }) => paths.map((path) => ({ name, path }))).toSorted(
  (a, b) => b.path.length - a.path.length,
);

/**
 * The tag of a path.
 * @throws if no tag has a prefix of the path
 */
export const tagOf = (path: string): string => {
  const found = beginnings.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (!found) throw new Error(`${path} has no tag: add its prefix to a tag in contract/openapi/tags.ts.`);
  return found.name;
};

/** The tags that are in use, for the document. */
export const describeTags = (used: ReadonlySet<string>): { name: string; description: string }[] =>
  ALL.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));

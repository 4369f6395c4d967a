interface Tag {
  readonly name: string;
  readonly description: string;
  /** What its paths begin with; the longest beginning of all tags wins. */
  readonly paths: readonly string[];
}

/** The nouns of the API, in the order in which one reads about them. */
const ALL: readonly Tag[] = [
  {
    name: 'System',
    description: 'The server itself, and this description.',
    paths: ['/ping', '/ready', '/info', '/metrics', '/openapi.json'],
  },
  { name: 'Session', description: 'Signing in and out, and who is asking.', paths: ['/auth', '/user'] },
  {
    name: 'Second factor',
    description: 'What is asked beside the password: setting it up, recovery codes, turning it off.',
    paths: ['/user/second-factor', '/auth/second-factor'],
  },
  { name: 'API tokens', description: 'Tokens with which programs act as their user.', paths: ['/user/tokens'] },
  { name: 'Users', description: 'Everybody who may sign in.', paths: ['/users'] },
  { name: 'Runners', description: 'Those who execute tasks, on this machine and on others.', paths: ['/runners'] },
  {
    name: 'Projects',
    description: 'A project holds everything below, and is closed to all but its members.',
    paths: ['/projects', '/project/{project_id}'],
  },
  {
    name: 'Team',
    description: 'The members of a project and their roles.',
    paths: ['users', 'me', 'role', 'roles'].map((name) => `/project/{project_id}/${name}`),
  },
  {
    name: 'Tasks',
    description: 'Runs of templates, with their logs and results.',
    paths: ['/project/{project_id}/tasks'],
  },
  {
    name: 'Hosts',
    description: 'What all runs of a project did to each host.',
    paths: ['/project/{project_id}/hosts'],
  },
  { name: 'Templates', description: 'What to run, where and with what.', paths: ['/project/{project_id}/templates'] },
  { name: 'Schedules', description: 'When templates run by themselves.', paths: ['/project/{project_id}/schedules'] },
  { name: 'Views', description: 'The tabs of the template list.', paths: ['/project/{project_id}/views'] },
  {
    name: 'Inventories',
    description: 'The hosts that playbooks run against.',
    paths: ['/project/{project_id}/inventory'],
  },
  {
    name: 'Environments',
    description: 'Variables of playbooks and processes.',
    paths: ['/project/{project_id}/environment'],
  },
  { name: 'Repositories', description: 'Where playbooks come from.', paths: ['/project/{project_id}/repositories'] },
  { name: 'Keys', description: 'Credentials, which go in and never come out.', paths: ['/project/{project_id}/keys'] },
  {
    name: 'Alerts',
    description: 'Who is told how tasks ended, and what became of each message.',
    paths: ['/project/{project_id}/alerts', '/user/alerts'],
  },
  { name: 'Events', description: 'Who did what, and when.', paths: ['/events', '/project/{project_id}/events'] },
];

const beginnings = ALL.flatMap(({ name, paths }) => paths.map((path) => ({ name, path }))).toSorted(
  (a, b) => b.path.length - a.path.length,
);

/**
 * The noun that a path is about.
 * @throws for a path of no known noun: it needs an entry here.
 */
export const tagOf = (path: string): string => {
  const found = beginnings.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (!found) throw new Error(`No tag is about ${path}: name its noun in contract/openapi/tags.ts.`);
  return found.name;
};

/** The tags that are in use, as the document lists them. */
export const describeTags = (used: ReadonlySet<string>): { name: string; description: string }[] =>
  ALL.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));

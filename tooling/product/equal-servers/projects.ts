import { join } from 'node:path';
import { PlaybookProject } from '../playbook-project.ts';
import { type Installation, TAGS } from './installation.ts';
import { CHECKING, HOSTS, KINDS, type Kind, LOCAL_HOSTS, LOCKS, playbooks } from './playbooks.ts';

export interface TestProject {
  readonly project: PlaybookProject;
  readonly templates: ReadonlyMap<Kind, number>;
  /** Maximum number of its tasks at once; 0 for no limit. */
  readonly limit: number;
}

/** Every second project has a limit. */
const LIMIT = 3;

const makeProject = async (installation: Installation, number: number): Promise<TestProject> => {
  const { client, recorder, starts } = installation;
  const files = playbooks(starts, join(installation.hostRuns, String(number)));
  const project = await PlaybookProject.create(client, `Project ${number}`, files);
  const { params } = project;
  const limit = number % 2 === 0 ? LIMIT : 0;
  await client.call('updateProject', { params, body: { alert: true, max_parallel_tasks: limit } });
  const receiver = { name: 'Recorder', kind: 'webhook' as const, url: recorder.address };
  await client.call('createAlertReceiver', { params, body: receiver });
  const hosts = await project.inventory(LOCAL_HOSTS);
  const valuesOf = (kind: Kind) => {
    const options = {
      ...(kind === 'tagged' ? { runner_tags: [TAGS[number % TAGS.length] ?? ''] } : {}),
      ...(HOSTS[kind] ? { limit: HOSTS[kind].join(), dry_run: CHECKING.has(kind) } : {}),
    };
    return { options, ...(HOSTS[kind] ? { inventory_id: hosts, lock_hosts: true } : {}) };
  };
  const templates = new Map<Kind, number>();
  for (const kind of KINDS)
    templates.set(
      kind,
      await project.template(HOSTS[kind] ? 'hosts.yml' : kind === 'failing' ? 'failing.yml' : 'site.yml', {
        allow_parallel_tasks: kind !== 'single',
        ...valuesOf(kind),
        locks: [...(LOCKS[kind] ?? [])],
      }),
    );
  return { project, templates, limit };
};

export const makeProjects = async (installation: Installation, count: number): Promise<TestProject[]> => {
  const projects: TestProject[] = [];
  for (let number = 0; number < count; number++) projects.push(await makeProject(installation, number));
  return projects;
};

/** Creates a schedule that is due every minute, as a template of its own. */
export const makeSchedule = async ({ project }: TestProject): Promise<number> => {
  const template = await project.template('site.yml', { allow_parallel_tasks: true });
  const { id } = await project.client.call('createSchedule', {
    params: project.params,
    body: { template_id: template, name: 'Every minute', cron_format: '* * * * *', overlap: 'parallel' },
  });
  return id;
};

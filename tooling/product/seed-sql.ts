/** How much is stored, and where: ids are known, because a database is seeded before anything else is in it. */
export interface Amounts {
  readonly tasks: number;
  readonly events: number;
}

/** Projects, each with templates, users and all that they need; most tasks are of the first. */
const PROJECTS = 4;
export const TEMPLATES = 500;
const USERS = 20;

/** A template whose tasks are many, and a user and a status that have enough for a page. */
export const SEEDED = { projectId: 1, templateId: 201, userId: 7, status: 'error' } as const;

/** The numbers from 1, as both databases count them. */
const counted = (to: number): string =>
  `with recursive counted(i) as (select cast(1 as bigint) union all select i + 1 from counted where i < ${to})`;

const twoDigits = (number: string): string => `substr('0' || (${number}), length('0' || (${number})) - 1)`;

/** A moment of 2026 that grows with `i`, in 336 days of 28 a month. */
const moment = (i: string, to: number, seconds: number): string => {
  const part = (perYear: number) => `((${i}) * ${perYear} / ${to + 1})`;
  return `'2026-' || ${twoDigits(`1 + ${part(12)}`)} || '-' || ${twoDigits(`1 + ${part(336)} % 28`)} || 'T' ||
    ${twoDigits(`${part(336 * 24)} % 24`)} || ':' || ${twoDigits(`${part(336 * 1440)} % 60`)} || ':${seconds}.123Z'`;
};

const people = (): string => `
  ${counted(USERS)}
  insert into users (id, username, username_key, name, email, email_key, password_hash, created, admin, alert, external, can_create_project, billing)
  select 1 + i, 'user-' || i, 'user-' || i, 'User number ' || i, 'user-' || i || '@example.com', 'user-' || i || '@example.com',
    'none', '2026-01-01T00:00:00.000Z', 0, 0, 0, 0, 0 from counted;`;

const projects = (): string => `
  ${counted(PROJECTS)} insert into project (id, name, alert, alert_chat, created, max_parallel_tasks)
    select i, 'Project ' || i, 0, '', '2026-01-01T00:00:00.000Z', 0 from counted;
  ${counted(PROJECTS)} insert into project_user (project_id, user_id, role) select i, 1, 'owner' from counted;
  ${counted(PROJECTS)} insert into access_key (id, project_id, name, type, secret) select i, i, 'None', 'none', '' from counted;
  ${counted(PROJECTS)} insert into repository (id, project_id, name, git_url, git_branch, ssh_key_id)
    select i, i, 'Playbooks', 'https://git.example/playbooks.git', 'main', i from counted;
  ${counted(PROJECTS)} insert into inventory (id, project_id, name, type, inventory, ssh_key_id)
    select i, i, 'Hosts', 'static', 'web-01', i from counted;
  ${counted(PROJECTS)} insert into environment (id, project_id, name, json, env) select i, i, 'Live', '{}', '{}' from counted;`;

/** Templates come in pairs; in the first fifty pairs of a project the second deploys what the first builds. */
const templates = (): string => `
  ${counted(PROJECTS * TEMPLATES)}
  insert into template (id, project_id, name, description, type, playbook, inventory_id, environment_id, repository_id, start_version,
    build_template_id, autorun, suppress_success_alerts, arguments, allow_override_args_in_task, allow_parallel_tasks, survey_vars)
  select i, p, 'Template number ' || i, 'What number ' || i || ' is good for', kind, 'playbooks/site.yml', p, p, p,
    case kind when 'build' then '1.0.0' end, case kind when 'deploy' then i - 1 end, 0, 0, '[]', 0, 0, '[]'
  from (select i, 1 + (i - 1) / ${TEMPLATES} as p, case when (i - 1) % ${TEMPLATES} >= 100 then '' when i % 2 = 1 then 'build' else 'deploy' end as kind
    from counted) numbered;`;

/** Six of ten tasks are of the first project, and each tenth of them of one busy pair of templates. */
const tasks = (count: number): string => `
  ${counted(count)},
  paired as (select i, (i + 1) / 2 as k, (i + 1) % 2 as side from counted),
  placed as (select i, k, side, case when k % 10 < 6 then 1 else 2 + k % ${PROJECTS - 1} end as p from paired),
  named as (select i, k, side, p,
    case when k % 20 = 0 then ${Math.floor(SEEDED.templateId / 2)} else (k / 7) % ${TEMPLATES / 2} end as pair from placed),
  described as (select i, k, side, p, pair, (p - 1) * ${TEMPLATES} + 2 * pair + side + 1 as t,
    case when pair >= 50 then '' when side = 0 then 'build' else 'deploy' end as kind from named)
  insert into task (id, project_id, template_id, user_id, build_task_id, epoch, status, message, tpl_type, tpl_alias, tpl_playbook,
    arguments, environment, limit_hosts, created, debug, dry_run, diff, version, start_time, end_time, commit_hash, commit_message)
  select i, p, t, 2 + (i / 7) % ${USERS - 1}, case kind when 'deploy' then i - 1 end, 1,
    case when (i * 104729) % 100 < 85 then 'success' when (i * 104729) % 100 < 97 then 'error' else 'stopped' end,
    'Change number ' || i || ' of the week', kind, 'Template number ' || t, 'playbooks/site.yml', '[]', '{"count":3}', '',
    ${moment('i', count, 10)}, 0, 0, 0, case when kind = '' then null else '1.0.' || k end,
    ${moment('i', count, 12)}, ${moment('i', count, 45)}, '0123456789012345678901234567890123456789', 'Fix the ' || i || 'th thing'
  from described;
  update template set last_task_id = (select max(task.id) from task where task.template_id = template.id);`;

const events = (count: number): string => `
  ${counted(count)}
  insert into event (id, user_id, project_id, object_id, object_type, object_name, kind, params, address, created)
  select 100 + i, 2 + (i / 7) % ${USERS - 1}, case when i % 10 < 6 then 1 else 2 + i % ${PROJECTS - 1} end, i, 'task', 'Template number ' || i % 500,
    'task.succeeded', '{"id":' || i || ',"template":"Template number ' || i % 500 || '"}', '127.0.0.1', ${moment('i', count, 45)} from counted;`;

/** Statements that fill a database which holds its first user and nothing else. */
export const seedSql = (amounts: Amounts): string[] => [
  people(),
  projects(),
  templates(),
  tasks(amounts.tasks),
  events(amounts.events),
];

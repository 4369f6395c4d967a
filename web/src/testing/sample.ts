import type { Key, ResultRecord, Schedule, SurveyVariable, Task, Template } from '@signalbox/contract';
import { EMPTY_VARIABLE } from '@signalbox/contract/survey';

/** A sample task as the API returns it; `change` overrides fields. */
export const sampleTask = (change: Partial<Task> = {}): Task => ({
  id: 1,
  project_id: 1,
  template_id: 1,
  app: 'ansible',
  status: 'success',
  message: '',
  version: null,
  tpl_type: '',
  tpl_alias: 'Ping Site',
  tpl_playbook: 'ping.yml',
  build_task_id: null,
  build_task: null,
  user_id: 1,
  user_name: 'Ada',
  created: '2026-11-21T10:00:00.000Z',
  start: '2026-11-21T10:00:01.000Z',
  end: '2026-11-21T10:01:01.000Z',
  commit_hash: null,
  commit_message: '',
  debug: false,
  dry_run: false,
  diff: false,
  arguments: '[]',
  environment: '{}',
  limit: '',
  tags: [],
  skip_tags: [],
  verbosity: 0,
  forks: null,
  inventory_id: 1,
  environment_id: 1,
  git_branch: null,
  vaults: null,
  max_duration: null,
  end_reason: null,
  runner_unreachable_since: null,
  runner_id: null,
  runner_name: '',
  schedule_id: null,
  schedule_name: '',
  webhook_id: null,
  webhook_name: '',
  freeze_window: '',
  freeze_reason: '',
  log_removed: false,
  ...change,
});

export const sampleSchedule = (change: Partial<Schedule> = {}): Schedule => ({
  id: 1,
  project_id: 1,
  template_id: 2,
  type: 'cron',
  cron_format: '0 4 * * *',
  run_at: null,
  interval_seconds: null,
  timezone: 'UTC',
  own_timezone: null,
  starts_at: null,
  ends_at: null,
  overlap: null,
  jitter_seconds: 0,
  launch_values: {
    message: '',
    environment: '{}',
    debug: false,
    dry_run: false,
    diff: false,
    arguments: '[]',
    limit: '',
  },
  saved_launch_id: null,
  secret_answers: [],
  repository_id: null,
  name: '',
  active: true,
  next_times: [],
  next_start: null,
  freeze: null,
  last_fired: null,
  problem: null,
  ...change,
});

export const sampleVariable = (change: Partial<SurveyVariable> = {}): SurveyVariable => ({
  ...EMPTY_VARIABLE,
  name: 'hosts',
  title: 'Hosts at once',
  ...change,
});

export const sampleTemplate = (change: Partial<Template> = {}): Template => ({
  id: 1,
  project_id: 1,
  name: 'Ping Site',
  description: '',
  app: 'ansible',
  type: '',
  playbook: 'ping.yml',
  inventory_id: 1,
  environment_id: 1,
  repository_id: 1,
  vault_key_id: null,
  vaults: [],
  view_id: null,
  labels: [],
  start_version: null,
  build_template_id: null,
  autorun: false,
  suppress_success_alerts: false,
  arguments: '[]',
  options: { limit: '', tags: [], skip_tags: [], verbosity: 0, forks: null, dry_run: false, diff: false },
  prompts: {
    inventory_id: 'fixed',
    environment_id: 'fixed',
    git_branch: 'fixed',
    limit: 'any',
    tags: null,
    skip_tags: null,
    forks: null,
    verbosity: 'any',
    dry_run: 'any',
    diff: 'any',
    vaults: 'fixed',
    max_duration: 'fixed',
  },
  allow_override_args_in_task: false,
  allow_parallel_tasks: false,
  max_duration: 0,
  keep_tasks_days: null,
  keep_logs_days: null,
  keep_tasks_min: null,
  survey_vars: [],
  lost_at_import: [],
  last_task_id: null,
  last_task: null,
  ...change,
});

/**
 * Records of two plays: `web-2` fails the second step of the first play; the second play runs on `web-1` alone and has
 * not ended. Line numbers belong to a log whose first play begins at line 5.
 */
export const sampleRecords: ResultRecord[] = [
  { kind: 'play', at: 1000, line: 5, play: 1, name: 'Prepare', hosts: 2 },
  { kind: 'step', at: 1100, line: 7, step: 1, play: 1, name: 'Ask', action: 'ping', handler: false },
  { kind: 'host', at: 1200, line: 8, step: 1, host: 'web-10', result: 'ok', message: '' },
  { kind: 'host', at: 1300, line: 9, step: 1, host: 'web-2', result: 'changed', message: '' },
  { kind: 'step', at: 2000, line: 11, step: 2, play: 1, name: 'Copy', action: 'copy', handler: false },
  { kind: 'host', at: 2100, line: 12, step: 2, host: 'web-10', result: 'changed', message: '' },
  { kind: 'host', at: 2200, line: 13, step: 2, host: 'web-2', result: 'failed', message: 'disk full' },
  { kind: 'play', at: 3000, line: 15, play: 2, name: 'Verify', hosts: 1 },
  { kind: 'step', at: 3100, line: 17, step: 3, play: 2, name: 'Look', action: 'uri', handler: false },
];

const stats = { ok: 1, changed: 1, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };

/** The final counts of the sample records. Hosts in `failed` have failures, the others none. */
export const sampleRecap = (failed: readonly string[]): ResultRecord => ({
  kind: 'stats',
  at: 4000,
  line: 20,
  hosts: Object.fromEntries(
    ['web-10', 'web-2'].map((host) => [host, { ...stats, failures: failed.includes(host) ? 1 : 0 }]),
  ),
});

/** The secret fields of a key, which the API always returns empty. */
export const NO_SECRET: Pick<Key, 'ssh' | 'login_password' | 'override_secret'> = {
  ssh: { login: '', private_key: '', passphrase: '' },
  login_password: { login: '', password: '' },
  override_secret: false,
};

import { z } from 'zod';
import { AppName } from '../apps/apps.ts';
import { Id, Moment, text } from '../fields.ts';
import { HostLimit } from '../host-limit.ts';
import { MAX_SILENT_HOSTS } from '../limits.ts';
import { StoredEndReason } from '../messages/end-reasons.ts';
import { fieldError } from '../messages/field-errors.ts';
import { sortedBy } from '../sorting.ts';
import { TaskStatus } from '../status.ts';
import { VISIBLE } from '../visible-text.ts';
import { TaskApproval } from './approval.ts';
import { ExecutionEnvironment } from './execution-environment.ts';
import { LaunchValues } from './launch-values.ts';
import { LogRemoval } from './retention.ts';
import { LaunchVault, Tags } from './run-options.ts';

export const TemplateType = z.enum(['', 'build', 'deploy']);
export type TemplateType = z.infer<typeof TemplateType>;

export const BuildTask = z.object({ id: Id, version: z.string(), message: z.string() });

/** The step that a task runs now, compared with earlier runs. */
export const RunningStep = z.object({
  step: z.int().describe('Number of the step.'),
  name: z.string().describe('Name of the step.'),
  since: Moment.describe('When it started.'),
  usual_ms: z.int().describe('How long it usually takes, in milliseconds.'),
});
export type RunningStep = z.infer<typeof RunningStep>;

/** Hosts that work on the running step far longer than hosts usually do. */
export const SilentHosts = z.object({
  step: z.int().describe('Number of the step.'),
  name: z.string().describe('Name of the step.'),
  line: z.int().describe('Number of the first log line of the step; 0 if unknown.'),
  since: Moment.describe('Since when they work on it.'),
  usual_ms: z.int().describe('Within how many milliseconds 95% of the hosts usually end it.'),
  hosts: z.array(z.string()).describe(`Names of the hosts, at most ${MAX_SILENT_HOSTS}.`),
  total: z.int().describe('Number of all such hosts.'),
});
export type SilentHosts = z.infer<typeof SilentHosts>;

/** When a running task is expected to end, from earlier runs with the same options and from the run so far. */
export const TaskExpectation = z.object({
  expected_end: Moment.nullable().describe(
    'When the running task is expected to end. Null for other tasks, with fewer than three successful runs of its template with the same limit, tags and inventory, and once the task takes longer than usual or has silent hosts.',
  ),
  done_share: z
    .number()
    .nullable()
    .describe('Part of the time that has passed, from 0 to 1; null without an expected end.'),
  longer_than_usual: z
    .boolean()
    .describe('Whether the task, or its current step, takes longer than in the runs that it is compared with.'),
  running_step: RunningStep.nullable().describe(
    'The step that runs now; null if it was in none of the runs that the task is compared with.',
  ),
  silent_hosts: SilentHosts.nullable().describe(
    'Hosts that have not answered in this step for far longer than usual; null without such hosts.',
  ),
});
export type TaskExpectation = z.infer<typeof TaskExpectation>;

export const Task = z.object({
  id: Id,
  project_id: Id,
  template_id: Id,
  app: AppName.describe('The app that runs it: that of its template when the task was started.'),
  status: TaskStatus,
  message: z.string(),
  version: z.string().nullable().describe('Own version of a build; version of the build of a deploy; else null.'),
  tpl_type: TemplateType,
  tpl_alias: z.string().describe('Name of the template.'),
  tpl_playbook: z.string(),
  tpl_arguments: z
    .string()
    .nullable()
    .describe(
      'JSON list of the arguments of its template when its run started. Null before that, and for a task of an earlier version.',
    ),
  build_task_id: Id.nullable(),
  build_task: BuildTask.nullable(),
  user_id: Id.nullable(),
  user_name: z.string().describe('Empty if a schedule, a webhook or a build started the task.'),
  created: Moment,
  start: Moment.nullable(),
  end: Moment.nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string(),
  debug: z.boolean(),
  dry_run: z.boolean(),
  diff: z.boolean(),
  arguments: z.string(),
  environment: z.string(),
  limit: z.string(),
  tags: z.array(z.string()).describe('Only steps with one of these tags run; empty for all steps.'),
  skip_tags: z.array(z.string()).describe('Steps with one of these tags are skipped.'),
  verbosity: z.int().describe('Number of `-v` options.'),
  forks: z.int().nullable().describe('Number of hosts at once; null for the setting of Ansible.'),
  inventory_id: Id.nullable().describe(
    'Id of its inventory. Null for an app without inventories, and for a task of an earlier version.',
  ),
  environment_id: Id.nullable().describe('Id of its environment. Null for a task of an earlier version.'),
  git_branch: z.string().nullable().describe('Branch or tag; null for that of the repository.'),
  vaults: z
    .array(LaunchVault)
    .nullable()
    .describe('Passwords of vaults that replace those of the template; null for those of the template.'),
  max_duration: z
    .int()
    .nullable()
    .describe('Seconds after which the run is stopped, 0 for no limit; null for the limit of the template.'),
  locks: z.array(z.string()).describe('Names of the locks that it takes while it runs.'),
  lock_hosts: z.boolean().describe('Whether it locks the hosts of its run.'),
  execution_environment: ExecutionEnvironment.describe(
    'Where its programs come from, as set by its template, its project or the system when it was started.',
  ),
  runner_tags: z.array(z.string()).describe('Tags that a runner needs to run it; empty for every runner.'),
  priority: z.int().describe('Waiting tasks with a higher priority start first.'),
  end_reason: StoredEndReason.nullable().describe(
    'Why it failed or was stopped. Null for a task that has not ended or ended in success, and if the reason is unknown.',
  ),
  runner_unreachable_since: Moment.nullable().describe(
    'Since when the runner of an active task has sent nothing; its playbook may continue. Null while it sends.',
  ),
  runner_id: Id.nullable().describe(
    'The runner that runs it or ran it. Null while it waits, and after that runner was removed.',
  ),
  runner_name: z.string().describe('Name of that runner, also after it was removed. Empty while the task waits.'),
  schedule_id: Id.nullable().describe('The schedule that started it. Null without one, and after it was deleted.'),
  schedule_name: z
    .string()
    .describe(
      'Name or cron expression of that schedule when it started the task, also after it was deleted. Empty without one.',
    ),
  token_name: z.string().describe('Name of the API token with which the user started it, else empty.'),
  webhook_id: Id.nullable().describe('The webhook that started it. Null without one, and after it was deleted.'),
  webhook_name: z
    .string()
    .describe('Name of that webhook when it started the task, also after it was deleted. Empty without one.'),
  freeze_window: z.string().describe('Name of the freeze window in which a user started it nevertheless, else empty.'),
  freeze_reason: z.string().describe('Why the user started it in that window, else empty.'),
  ...TaskApproval.shape,
  ...TaskExpectation.shape,
  log_removed: z
    .boolean()
    .describe('True after the log was deleted at the end of its retention period; it is then empty. Its results stay.'),
  kept: z.boolean().describe('Whether a user keeps it: retention removes neither the task nor its log.'),
  log_removal: LogRemoval.nullable().describe(
    'When and by which setting the log was removed. Null while it exists, and if a version before this field removed it.',
  ),
});
export type Task = z.infer<typeof Task>;

/** The filters select the newest tasks; the sort order applies to the selected ones. */
export const TaskSorting = sortedBy(
  'id',
  'tpl_alias',
  'version',
  'status',
  'user_name',
  'created',
  'start',
  'end',
  'duration',
);

/** The options of a run in one object, as clients of Semaphore UI send them. */
export const TaskParameters = z
  .object({
    limit: z.union([HostLimit, z.array(HostLimit).max(1000)]).nullish(),
    tags: Tags.nullish().describe('Runs only steps with one of these tags.'),
    skip_tags: Tags.nullish().describe('Skips steps with one of these tags.'),
    debug: z.boolean().nullish(),
    debug_level: z
      .int()
      .min(0)
      .max(6)
      .nullish()
      .describe('With `debug`: number of `-v` options. Default, also for 0: 4.'),
    dry_run: z.boolean().nullish(),
    diff: z.boolean().nullish(),
  })
  .meta({
    openapiRules: [
      { propertyNames: { enum: ['limit', 'tags', 'skip_tags', 'debug', 'debug_level', 'dry_run', 'diff'] } },
    ],
  });
export type TaskParameters = z.infer<typeof TaskParameters>;

export const NewTask = z.object({
  template_id: Id,
  build_task_id: Id.nullish(),
  ...LaunchValues.shape,
  commit_hash: z
    .string()
    .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, fieldError('field.commit'))
    .nullish()
    .describe('Commit to run. Default: the newest one of the branch.'),
  freeze_reason: text(1024)
    .trim()
    .regex(VISIBLE, fieldError('field.invisible'))
    .nullish()
    .describe(
      'Why the task is started in a freeze window, which needs the right to edit templates. Not stored without a window.',
    ),
  params: TaskParameters.nullish().describe(
    'The same options in one object; an option that is set here takes precedence.',
  ),
  playbook: text(1024).nullish().describe('Playbook of the template, or empty; any other value is refused.'),
  repository_id: z.int().nullish().describe('Repository of the template, or 0; any other value is refused.'),
});

/** The author of a log line that Signalbox wrote. It is set by the code that stores the line, never derived from the text. */
export const LineSource = z.enum(['runner', 'server']);
export type LineSource = z.infer<typeof LineSource>;

/** A line of a log: when it was written, its text and, for a line that Signalbox wrote itself, its source. */
export const LogLine = z.tuple([z.number(), z.string(), LineSource.optional()]);

/** One line of a task's log as existing clients read it. */
export const LogRecord = z.object({
  id: z.int(),
  task_id: Id,
  project_id: Id,
  time: Moment,
  output: z.string(),
  source: z
    .enum(['output', ...LineSource.options])
    .describe('`runner` or `server` for a line that Signalbox wrote itself, `output` for what programs printed.'),
});

/** Maximum number of lines in one response. */
export const MAX_LOG_LINES = 5000;

/** Lines of a log by number, from 1. */
export const LogLines = z.object({
  first: z.int().describe('Number of the first line in `lines`.'),
  total: z.int().describe('Number of stored lines.'),
  sealed: z.boolean().describe('True when the log is complete: no line will follow.'),
  missing: z
    .int()
    .describe(
      'Lines of an ended task that were stored and are no longer there, because the log was changed or replaced from outside. Lines that are missing between others are answered as empty lines of the server.',
    ),
  lines: z
    .array(LogLine)
    .describe(
      'Milliseconds since 1970 and text with ANSI colours of each line, and `runner` or `server` for a line that Signalbox wrote itself.',
    ),
});
export type LogLines = z.infer<typeof LogLines>;

/** Maximum number of lines that one call searches. */
export const MAX_SEARCHED_LINES = 1_000_000;
/** A search ends after the block of lines in which it has found so many. */
export const MAX_LINE_MATCHES = 20_000;

/** The lines of a log that contain a text. */
export const LogMatches = z.object({
  lines: z.array(z.int()).describe('Numbers of the lines that contain the text, in order.'),
  next: z.int().describe('Number of the line at which the next call continues. All lines before it were searched.'),
  total: z.int().describe('Number of stored lines. When `next` is greater, the search is complete.'),
});
export type LogMatches = z.infer<typeof LogMatches>;

/** Maximum number of days in statistics. */
export const MAX_STATISTICS_DAYS = 90;

/** Maximum number of tasks in `TemplateOutcomes`, for each template. */
export const OUTCOMES = 10;

/** How the newest tasks of one template ended. */
export const TemplateOutcomes = z.object({
  template_id: Id,
  tasks: z
    .array(
      z.object({
        id: Id,
        status: Task.shape.status.describe('Status of the task.'),
        start: Task.shape.start.describe('When a runner started it.'),
        end: Task.shape.end.describe('When it ended.'),
      }),
    )
    .describe(`The ${OUTCOMES} newest tasks of the template, newest first.`),
});
export type TemplateOutcomes = z.infer<typeof TemplateOutcomes>;

/** Statistics of the tasks of a project. Durations are medians of successful tasks, in seconds. */
export const TaskStatistics = z.object({
  days: z
    .array(
      z.object({
        day: z.string().describe('The day in UTC, such as `2026-11-21`.'),
        success: z.int().describe('Successful tasks that were created on this day.'),
        error: z.int().describe('Failed tasks that were created on this day.'),
        stopped: z.int().describe('Stopped tasks that were created on this day.'),
        seconds: z.number().nullable().describe('Median duration of the successful tasks; null without any.'),
      }),
    )
    .describe(
      'Every day, oldest first. For a project with very many tasks, only the days that were counted completely.',
    ),
  templates: z
    .array(
      z.object({
        template_id: Id,
        name: z.string(),
        tasks: z.int().describe('Number of ended tasks.'),
        succeeded: z.int().describe('Number of successful tasks.'),
        failed: z.int().describe('Number of failed tasks.'),
        seconds: z.number().nullable().describe('Median duration of the successful tasks; null without any.'),
      }),
    )
    .describe('The templates with the most tasks, in descending order.'),
});
export type TaskStatistics = z.infer<typeof TaskStatistics>;

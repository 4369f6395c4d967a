import { z } from 'zod';
import { AppName, DEFAULT_APP } from '../apps/apps.ts';
import { APPS } from '../apps/table.ts';
import { ExecutionEnvironment, SYSTEM_ENVIRONMENT } from '../entities/execution-environment.ts';
import { Id } from '../fields.ts';
import { Access, RepositorySource } from './access.ts';

/** Missing in jobs of servers that have no secret variables. */
const Secrets = z.record(z.string(), z.string()).default({});

const JsonObject = z.record(z.string(), z.json());

/** What every job has, whatever its app is. */
export const CommonJob = z.object({
  task_id: Id,
  epoch: z.int(),
  project_id: Id,
  template_name: z.string(),
  repository: RepositorySource,
  commit: z.string().nullable().describe('A full commit hash to run instead of the tip of the branch.'),
  extra_variables: JsonObject.describe('The JSON of the environment.'),
  secret_variables: Secrets.describe('Extra variables whose values are data, and must not show.'),
  secret_environment: Secrets.describe('Environment variables of the process whose values must not show.'),
  answers: JsonObject.describe('Survey answers: data that must never be evaluated as a template.'),
  task_details: JsonObject.describe('What playbooks read as semaphore_vars.task_details; data as well.'),
  process_environment: z.record(z.string(), z.string()),
  execution_environment: ExecutionEnvironment.default(SYSTEM_ENVIRONMENT).describe(
    'Where its programs come from. Missing in jobs of older servers.',
  ),
  registry_access: Access.default({ type: 'none' }).describe(
    'The login of the registry of its container image. Missing in jobs of older servers.',
  ),
  max_duration: z.number().default(0).describe('Seconds after which the run is ended; 0 means no limit.'),
  debug: z.boolean(),
});
export type CommonJob = z.infer<typeof CommonJob>;

/** The job of one app. */
export type JobOf<Name extends AppName> = CommonJob & { app: Name } & z.infer<z.ZodObject<(typeof APPS)[Name]['job']>>;

/** Everything that a runner needs for one run, and nothing else: only the secrets of this run. */
export type JobSpec = { [Name in AppName]: JobOf<Name> }[AppName];

const jobOf = (name: AppName) => CommonJob.extend({ app: z.literal(name), ...APPS[name].job });

/** A job without an app is of a server that knows only Ansible. */
const withApp = (job: unknown): unknown =>
  typeof job === 'object' && job !== null && !('app' in job) ? { ...job, app: DEFAULT_APP } : job;

const [first, ...others] = AppName.options.map(jobOf);
if (first === undefined) throw new Error('The table of apps is empty.');

// The compiler does not see that each schema has the name and the fields of the same app.
const jobs = z.discriminatedUnion('app', [first, ...others]) as unknown as z.ZodType<JobSpec>;

export const JobSpec: z.ZodType<JobSpec> = z.preprocess(withApp, jobs);

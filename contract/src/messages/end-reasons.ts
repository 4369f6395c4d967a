import { z } from 'zod';
import { EndReasonDetail } from './end-reason-details.ts';

/** Maximum length of a text in the parameters of an end reason, in characters. */
export const MAX_REASON_TEXT = 500;

const text = z.string().max(MAX_REASON_TEXT);
const path = text.describe('A path in the repository.');
const detail = text.describe('What the program that failed printed, or the cause in English.');
/** The detail of reasons for which Signalbox may write it. Its code names the translation. */
const ownDetail = {
  detail,
  detail_code: EndReasonDetail.optional()
    // A newer runner may send a code that this server does not know.
    .catch(undefined)
    .describe('Code of `detail`; absent if another program printed it.'),
  detail_value: text.optional().describe('The value within `detail`; absent if it has none.'),
};
const repository = text.describe('The address of the repository, without user and password.');
const user = text.describe('Name of the user when the task was stopped; empty if unknown.');
const engine = text.describe('The program that starts containers: `podman` or `docker`.');
const image = text.describe('The container image as the template names it.');
const runner = text.describe('Name of the runner; empty if unknown.');
const key = {
  key_id: z.int().nullable().describe('Id of the key; null if unknown.'),
  key_name: text.describe('Name of the key when the task ended; empty if unknown.'),
};
const firstHost = {
  hosts: z.int().describe('Hosts with at least one result.'),
  host: text.describe('The host that failed first.'),
  message: text.describe('Why this host failed; empty if unknown.'),
};

/**
 * Why a task ended other than in success: each code with its parameters. Texts in the parameters are shown unchanged and
 * never parsed. A change of a code or a parameter also changes the catalogues in `lang/end-reasons`.
 */
export const END_REASONS = {
  // Stopped
  'stop.user': { user },
  'stop.forced': { user },
  'stop.unreachable': { user },
  'stop.rejected': { user, comment: text.describe('Why the user rejected it.') },
  'stop.outdated': {},
  'stop.runner': {},
  'stop.unknown': {},
  time_limit: { seconds: z.int().nullable().describe('The limit in seconds; null if unknown.') },
  // Repository
  'git.branch_missing': { repository, branch: text },
  'git.empty': { repository },
  'git.commit_missing': { repository, commit: text },
  'git.unreachable': { repository, ...ownDetail },
  'git.key_refused': { repository, host: text },
  'git.login_refused': { repository },
  'git.login_missing': { repository },
  'git.certificate_refused': { repository },
  'git.host_key_refused': { repository, host: text },
  'git.address_invalid': { repository },
  'git.protocol_refused': { repository, protocol: text.describe('The protocol of the address, such as `ftp`.') },
  'git.local_disabled': { repository },
  'git.local_outside': { repository },
  'git.plain_folder': { repository },
  'git.submodule_refused': { repository, address: text.describe('The refused address, without user and password.') },
  'git.submodules_nested': { repository },
  'git.file_unreadable': { repository, path },
  'git.refused': { repository, ...ownDetail },
  // Preparation
  'playbook.missing': { path },
  'playbook.outside': { path },
  'inventory.missing': { path },
  'inventory.outside': { path },
  'requirements.invalid': { file: path, ...ownDetail },
  'requirements.refused': { file: path, requirement: text, ...ownDetail },
  'requirements.roles_not_installed': { file: path },
  'requirements.collections_not_installed': { file: path },
  'virtual_environment.requirement_refused': { requirement: text },
  'virtual_environment.file_missing': { file: path },
  'virtual_environment.tool_missing': {},
  'virtual_environment.not_installed': { program: text },
  'virtual_environment.too_slow': { program: text, minutes: z.int().describe('The time limit in minutes.') },
  'virtual_environment.program_missing': {
    program: text,
    package: text.describe('The Python package that has the program.'),
  },
  'key.damaged': key,
  'key.passphrase_wrong': key,
  'key.not_for_become': {},
  'key.agent_failed': ownDetail,
  'config.unreadable': { path: text.describe('The configuration file.'), ...ownDetail },
  'program.missing': { program: text },
  'program.not_started': { program: text, detail },
  'preparation.failed': ownDetail,
  'execution_environment.not_allowed': {
    kind: text.describe('The kind of the execution environment of the task.'),
    allowed: text.describe('The kinds that the setting SIGNALBOX_EXECUTION_ENVIRONMENTS allows.'),
  },
  // Containers
  'container.engine_missing': {},
  'container.engine_failed': { engine, detail },
  'container.not_started': { image, detail },
  'container.image_missing': { image },
  'container.image_not_pulled': { image },
  'container.image_not_opened': { image },
  'container.login_refused': { image, registry: text.describe('The registry, such as `ghcr.io`.') },
  'container.pull_failed': { image, detail },
  'container.program_missing': { image, program: text },
  'container.network_refused': {
    network: text.describe('The network of the environment.'),
    allowed: text.describe('The networks that the runner allows.'),
  },
  'container.out_of_memory': { megabytes: z.int().describe('The limit of the container in MB.') },
  // Playbook
  'playbook.invalid': {
    file: path,
    line: z.int().describe('Number of the line, from 1.'),
    column: z.int().nullable().describe('Number of the column, from 1; null if unknown.'),
    detail,
  },
  'playbook.module_missing': {
    module: text.describe('Name of the module as the playbook has it.'),
    file: path,
    line: z.int().describe('Number of the line, from 1.'),
  },
  'ansible.refused': { detail },
  'hosts.unresolved': { detail },
  'hosts.not_locked': { host: text.describe('The first host that the run has not locked.') },
  'limit.no_match': { limit: text.describe('The host pattern that matches no host.') },
  'hosts.failed': {
    failed: z.int().describe('Hosts that failed or were unreachable.'),
    ...firstHost,
    step: text.describe('Name of the step that failed first.'),
  },
  'hosts.unreachable': {
    unreachable: z.int().describe('Hosts that were unreachable. No other host failed.'),
    ...firstHost,
  },
  'hosts.host_key_changed': {
    unreachable: z.int().describe('Hosts that were unreachable, all because of their host keys. No other host failed.'),
    hosts: firstHost.hosts,
    host: firstHost.host,
  },
  'ansible.exit': { exit_code: z.int() },
  'ansible.signal': { signal: z.int() },
  'playbook.failed': {},
  // Machines
  'disk.full': {},
  'supervisor.not_started': {},
  'supervisor.lost': {},
  'job.unreadable': {},
  'runner.refused': ownDetail,
  'runner.lost': { runner },
  'runner.silent': { runner },
  'runner.removed': { runner },
} as const satisfies Record<string, z.ZodRawShape>;

type Table = typeof END_REASONS;

/** The code of an end reason. `options` lists all in the order of the table. */
export const EndReasonCode = z.enum(Object.keys(END_REASONS) as [keyof Table, ...(keyof Table)[]]);
export type EndReasonCode = z.infer<typeof EndReasonCode>;

type SchemaOf<Code extends EndReasonCode, More extends z.ZodRawShape> = z.ZodObject<
  { code: z.ZodLiteral<Code>; params: z.ZodObject<Table[Code]> } & More
>;
type Schema<More extends z.ZodRawShape> = { [Code in EndReasonCode]: SchemaOf<Code, More> }[EndReasonCode];

const schemaWith = <More extends z.ZodRawShape>(more: More) =>
  z.discriminatedUnion(
    'code',
    EndReasonCode.options.map((code) =>
      z.object({
        code: z.literal(code),
        params: z.object(END_REASONS[code]).describe('The values within the text.'),
        ...more,
      }),
    ) as unknown as [Schema<More>, ...Schema<More>[]],
  );

/** Why a task ended, as a runner reports it and as it is stored. */
export const EndReason = schemaWith({});
export type EndReason = z.infer<typeof EndReason>;
export type EndReasonOf<Code extends EndReasonCode> = Extract<EndReason, { code: Code }>;

const AnyStoredEndReason = schemaWith({ text: z.string().describe('The reason as an English text.') });
type StoredUnion = typeof AnyStoredEndReason;
/** A name for the type of the schema, because the type of the route table would otherwise contain it many times. */
export interface StoredEndReasonSchema extends StoredUnion {}

/** Why a task ended, as the API answers it. */
export const StoredEndReason: StoredEndReasonSchema = AnyStoredEndReason;
export type StoredEndReason = z.infer<typeof StoredEndReason>;

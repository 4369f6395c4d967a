import { z } from 'zod';

/** Maximum length of a parameter of a failure, in characters. */
export const MAX_FAILURE_TEXT = 500;

const text = z.string().max(MAX_FAILURE_TEXT);
const path = text.describe('A path in the repository.');
const detail = text.describe('What the program that failed printed, or the reason in English.');
const repository = text.describe('The address of the repository, without user and password.');

/**
 * Why a task failed, as a code with typed parameters, so that a client can show it in any language. `detail` is shown
 * unchanged and never parsed.
 */
export const TaskFailure = z.discriminatedUnion('code', [
  z.object({ code: z.literal('git.branch_missing'), repository, branch: text }),
  z.object({ code: z.literal('git.empty'), repository }),
  z.object({ code: z.literal('git.commit_missing'), repository, commit: text }),
  z.object({ code: z.literal('git.unreachable'), repository, detail }),
  z.object({ code: z.literal('git.key_refused'), repository, host: text }),
  z.object({ code: z.literal('git.login_refused'), repository }),
  z.object({ code: z.literal('git.login_missing'), repository }),
  z.object({ code: z.literal('git.certificate_refused'), repository }),
  z.object({ code: z.literal('git.host_key_refused'), repository, host: text }),
  z.object({ code: z.literal('git.refused'), repository, detail }),
  z.object({ code: z.literal('playbook.missing'), path }),
  z.object({ code: z.literal('playbook.outside'), path }),
  z.object({
    code: z.literal('playbook.invalid'),
    file: path,
    line: z.int().describe('Number of the line, from 1.'),
    column: z.int().nullable(),
    detail,
  }),
  z.object({ code: z.literal('ansible.refused'), detail }),
  z.object({ code: z.literal('limit.no_match'), limit: text.describe('The host pattern that matches no host.') }),
  z.object({ code: z.literal('inventory.missing'), path }),
  z.object({ code: z.literal('inventory.outside'), path }),
  z.object({ code: z.literal('requirements.invalid'), file: path, detail }),
  z.object({ code: z.literal('requirements.refused'), file: path, requirement: text, detail }),
  z.object({ code: z.literal('requirements.not_installed'), file: path, kind: z.enum(['role', 'collection']) }),
  z.object({
    code: z.literal('key.unusable'),
    detail,
    key_id: z.int().optional().describe('The key; left out when it is unknown.'),
    key_name: text.optional().describe('The name that the key had when the task failed.'),
  }),
  z.object({ code: z.literal('program.missing'), program: text }),
  z.object({ code: z.literal('preparation.failed'), detail }),
  z.object({ code: z.literal('disk.full') }),
  z.object({ code: z.literal('time_limit') }),
  z.object({ code: z.literal('hosts.failed') }).describe('Hosts failed or were unreachable: the results say which.'),
  z.object({ code: z.literal('ansible.exit'), exit_code: z.int() }),
  z.object({ code: z.literal('ansible.signal'), signal: z.int() }),
  z
    .object({ code: z.literal('job.unreadable') })
    .describe('A key or another object that the task needs cannot be read by the server.'),
  z.object({ code: z.literal('runner.refused'), detail }),
  z.object({ code: z.literal('runner.lost') }).describe('The result of the playbook is unknown.'),
  z.object({ code: z.literal('runner.silent') }).describe('The result of the playbook is unknown.'),
  z.object({ code: z.literal('runner.removed') }).describe('The result of the playbook is unknown.'),
]);
export type TaskFailure = z.infer<typeof TaskFailure>;

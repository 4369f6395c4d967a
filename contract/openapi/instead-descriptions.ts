import type { Instead } from '../src/messages/error-parts.ts';

/** Alternatives to refused fields. */
export const INSTEAD_DESCRIPTIONS: Readonly<Record<Instead, string>> = {
  'instead.task_params': 'params takes limit, tags, skip_tags, debug, debug_level, dry_run and diff',
  'instead.other_template': 'create a template for it and run that template',
  'instead.secret_variables': 'keep secret values in the secret variables of an environment',
  'instead.runner_tags': 'a runner has a list of tags, and a template has runner_tags in its options',
  'instead.runner_projects': 'a runner has a list of projects',
  'instead.ansible_only': 'only Ansible playbooks are supported',
  'instead.repository_branch': 'set the branch of the repository',
  'instead.template_options': 'set it in options',
  'instead.environment': 'set environment_id',
  'instead.top_folder': 'the playbook runs in the top folder of the repository',
  'instead.runner_itself': 'tasks run on the runner itself',
  'instead.schedule': 'add a schedule',
  'instead.delete_schedule': 'delete the schedule with its own call',
  'instead.launch_values': 'send them as launch_values',
  'instead.launch_fields': 'launch_values has no field of this name',
  'instead.template_repository': 'a file is taken from the repository of the template',
  'instead.database_secrets': 'secrets are stored encrypted in the database',
  'instead.login_password': 'use a key of type login_password',
  'instead.template_vault_key': 'set the vault key of the template',
  'instead.pause_runner': 'set paused to turn the runner off',
  'instead.runner_slots': 'set the number of slots when you start the runner',
  'instead.start_runner': 'runners are started by an administrator or by the system',
};

import { z } from 'zod';
import { InventoryType } from '../../entities/resources.ts';
import { Access } from '../../link/access.ts';
import type { AppDefinition } from '../app.ts';
import { argumentForEditors } from './ansible-arguments.ts';
import { optionsSetBy } from './option-arguments.ts';

/** Exit codes of ansible-playbook for hosts that failed or were unreachable. */
const HOST_CODES: ReadonlySet<number> = new Set([2, 3, 4, 6]);

export const ansible = {
  title: 'Ansible',
  features: {
    inventory: true,
    limit: true,
    checkMode: true,
    diff: true,
    vault: true,
    arguments: true,
    hostResults: true,
    plan: false,
  },
  job: {
    playbook: z.string(),
    inventory: z.object({ type: InventoryType, inventory: z.string(), access: Access, become: Access.nullable() }),
    vault_password: z.string().nullable().describe('Of vaults without an id.'),
    vault_passwords: z
      .array(z.object({ name: z.string(), password: z.string() }))
      .default([])
      .describe('Of vaults with an id. Missing in jobs of older servers.'),
    arguments: z.array(z.string()).describe('The arguments of the template, then those of the task.'),
    limit: z.string(),
    locked_hosts: z
      .array(z.string())
      .nullable()
      .default(null)
      .describe('The hosts that the run may target; null for any. Missing in jobs of older servers.'),
    facts: z
      .boolean()
      .default(false)
      .describe('Whether facts that it gathers are reported. Missing in jobs of older servers.'),
    dry_run: z.boolean(),
    diff: z.boolean(),
  },
  argumentForEditors,
  optionsSetBy,
  endedByHosts: (reason) =>
    reason.code === 'playbook.failed' || (reason.code === 'ansible.exit' && HOST_CODES.has(reason.params.exit_code)),
} as const satisfies AppDefinition;

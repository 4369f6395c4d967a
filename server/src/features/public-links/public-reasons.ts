import type { EndReasonCode } from '@signalbox/contract';

/** End reasons without a text or name that a program or a user wrote: their parameters are numbers. */
export const PUBLIC_REASONS: ReadonlySet<EndReasonCode> = new Set([
  'stop.outdated',
  'stop.runner',
  'stop.unknown',
  'time_limit',
  'virtual_environment.tool_missing',
  'key.not_for_become',
  'container.engine_missing',
  'container.out_of_memory',
  'ansible.exit',
  'ansible.signal',
  'playbook.failed',
  'disk.full',
  'supervisor.not_started',
  'supervisor.lost',
  'job.unreadable',
]);

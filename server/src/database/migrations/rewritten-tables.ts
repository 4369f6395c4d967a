/** Tables that grow with each run. */
export const LARGE_TABLES: readonly string[] = [
  'task',
  'event',
  'alert',
  'alert_delivery',
  'webhook_call',
  'task_failure',
  'run_time',
  'log_block',
];

/** Large tables of which a migration reads or changes every row, for the estimate of its time. */
export const REWRITTEN_TABLES: Readonly<Record<string, readonly string[]>> = {
  '0002-tokens-and-secrets': ['event', 'task'],
  '0004-lists-and-retention': ['task'],
  '0035-end-reasons': ['task'],
  '0036-event-kinds': ['event'],
  '0044-schedule-objects': ['task'],
  '0047-run-options': ['task'],
  '0051-webhooks': ['task'],
  '0056-schedule-alerts': ['alert'],
  '0064-runner-tags': ['task'],
  '0067-approvals': ['task'],
  '0070-runner-pools': ['task'],
  '0091-public-task-indexes': ['task'],
  '0097-kept-tasks': ['task'],
  '0101-inputs-and-fixes': ['run_time'],
};

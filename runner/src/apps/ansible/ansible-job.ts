import type { JobOf } from '@signalbox/contract/link';

/** The job of a playbook. */
export type AnsibleJob = JobOf<'ansible'>;

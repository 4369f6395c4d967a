import type { Template } from '@signalbox/contract';

type Limited = Pick<Template, 'app' | 'prompts' | 'allow_override_args_in_task'>;

/** Whether a user may run the template on any hosts that they choose. */
export const takesAnyLimit = ({ app, prompts, allow_override_args_in_task: isOpen }: Limited): boolean =>
  app === 'ansible' && (prompts.limit ?? (isOpen ? 'any' : 'fixed')) === 'any';

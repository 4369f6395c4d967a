import { ansible } from './ansible/ansible.ts';
import type { AppDefinition } from './app.ts';

/** Every app, by the name that templates, tasks and jobs have for it. */
export const APPS = { ansible } as const satisfies Readonly<Record<string, AppDefinition>>;

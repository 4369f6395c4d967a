import { PAGES } from './page.screens.ts';
import { PEOPLE } from './people.screens.ts';
import { FORMS } from './resource.screens.ts';
import type { Screen } from './screen.ts';
import { SECOND_FACTOR } from './second-factor.screens.ts';
import { SHELL } from './shell.screens.ts';
import { TASKS } from './task.screens.ts';

/** Every screen and every dialog of the console. */
export const SCREENS: readonly Screen[] = [...PAGES, ...TASKS, ...FORMS, ...PEOPLE, ...SECOND_FACTOR, ...SHELL];

import { z } from 'zod';
import { ArgumentsText, JsonObjectText, text } from '../fields.ts';
import { HostLimit } from '../host-limit.ts';

/** Everything that a task is started with, except its template, its build and its commit. */
export const LaunchValues = z.object({
  message: text(1024).default(''),
  environment: JsonObjectText.default('{}').describe('JSON object as text: the survey answers.'),
  debug: z.boolean().default(false),
  dry_run: z.boolean().default(false),
  diff: z.boolean().default(false),
  arguments: ArgumentsText.default('[]'),
  limit: HostLimit.default(''),
});
export type LaunchValues = z.output<typeof LaunchValues>;

import { z } from 'zod';
import { text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';

/** A name for what a runner can reach or has, such as `dmz`. It is no tag of a playbook and no tag of git. */
export const RunnerTag = text(50)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, fieldError('field.runner_tag'))
  .meta({ openapiFormat: 'runner-tag' });

/** Tags of a runner, or those that a task requires: each once and sorted, so that equal sets are equal lists. */
export const RunnerTags = z
  .array(RunnerTag)
  .max(20)
  .transform((tags) => [...new Set(tags)].sort());

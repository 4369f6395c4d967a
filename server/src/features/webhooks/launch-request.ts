import { type LaunchValues, NewTask } from '@signalbox/contract';
import { ZodError, type z } from 'zod';
import { fieldsError } from '../../http/errors/error-answer.ts';
import { FIELD_CHECKS } from '../../http/errors/field-message.ts';
import type { TriedRules } from './webhook-rules.ts';

const FIELD_OF = { limit: 'limit', branch: 'git_branch', commit: 'commit_hash', message: 'message' } as const;

/**
 * The request for the task of a call: the launch values of the webhook and what was extracted from the call. Extracted
 * values are texts. The launch checks them like those of a user who may only run tasks.
 * @throws bad_input naming the field whose value is not valid
 */
export const launchRequest = (
  templateId: number,
  values: LaunchValues,
  { extractors }: Pick<TriedRules, 'extractors'>,
): z.output<typeof NewTask> => {
  const answers: Record<string, unknown> = { ...(JSON.parse(values.environment) as object) };
  const options: Record<string, string> = {};
  for (const { extractor, text } of extractors) {
    if (text === undefined) continue;
    if (extractor.target === 'answer') answers[extractor.variable] = text;
    else options[FIELD_OF[extractor.target]] = text;
  }
  try {
    return NewTask.parse(
      { ...values, ...options, environment: JSON.stringify(answers), template_id: templateId },
      FIELD_CHECKS,
    );
  } catch (error) {
    throw error instanceof ZodError ? fieldsError(error) : error;
  }
};

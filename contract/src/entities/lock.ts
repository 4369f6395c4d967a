import { z } from 'zod';
import { text } from '../fields.ts';
import type { FieldMessage } from '../messages/field-errors.ts';
import type { SurveyVariable } from '../survey/survey-variable.ts';

/** The name of a lock. `{{ variable }}` stands for the answer to that variable of the survey. */
const LockName = text(100).trim().min(1);

/** Names of locks, each once. */
export const Locks = z
  .array(LockName)
  .max(10)
  .transform((names) => [...new Set(names)]);

const VARIABLES = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** The first lock whose name has a variable that the survey lacks, or one with secret answers. */
export const lockProblem = (
  locks: readonly string[],
  survey: readonly Pick<SurveyVariable, 'name' | 'type'>[],
): readonly [index: number, problem: FieldMessage] | undefined => {
  for (const [index, name] of locks.entries())
    for (const [, variable = ''] of name.matchAll(VARIABLES)) {
      const found = survey.find((one) => one.name === variable);
      if (!found || found.type === 'secret')
        return [index, { code: 'lock.variable', params: { lock: name, variable } }];
    }
  return undefined;
};

/** Longest name of a lock with its answers, in characters. */
export const MAX_LOCK_NAME = 200;

/** An answer as text. Of a longer one than a name may have, only so much that the name is too long. */
const textOf = (answer: unknown): string => {
  const text = Array.isArray(answer) ? answer.join(',') : answer === null || answer === undefined ? '' : String(answer);
  return text.slice(0, MAX_LOCK_NAME + 1);
};

/** The names of the locks of a task: those of its template with its answers, each once and sorted. */
export const locksOf = (locks: readonly string[], answers: Readonly<Record<string, unknown>>): string[] => {
  const names = locks.map((name) =>
    name.replace(VARIABLES, (_, variable: string) =>
      Object.hasOwn(answers, variable) ? textOf(answers[variable]) : '',
    ),
  );
  return [...new Set(names)].sort();
};

import { Checkbox } from '@mantine/core';
import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorTextsQuery } from '../../../api/error-texts-query.ts';
import { errorTexts } from '../../../lang/error-texts.ts';
import { variableTitle } from '../../../ui/forms/answer-text.ts';
import { AnswerField } from './answer-field.tsx';
import { conditionTexts } from './shown-because.tsx';
import css from './survey.module.css';
import { type AnswerValues, answered, fixedBody, fixedProblems, startAnswers } from './survey-values.ts';

/** The form values of stored fixed answers. */
export const fixedValues = ({ survey_vars }: Template, answers: string): AnswerValues => {
  const fixed = JSON.parse(answers) as Record<string, unknown>;
  return startAnswers(answered(survey_vars, fixed), fixed);
};

export const fixedAnswersText = ({ survey_vars }: Template, values: AnswerValues): string =>
  JSON.stringify(fixedBody(survey_vars, values));

/** Errors by field: `answers.<name>`. */
export const fixedAnswersErrors = ({ survey_vars }: Template, values: AnswerValues): Record<string, string> =>
  Object.fromEntries(
    fixedProblems(survey_vars, values).map(([name, problem]) => [`answers.${name}`, errorTexts.own(problem)]),
  );

interface FixedAnswersProps {
  template: Template;
  /** The answers that are fixed. */
  values: AnswerValues;
  errors: Readonly<Record<string, ReactNode>>;
  onChange: (values: AnswerValues) => void;
}

/** The variables of a survey, each of which is not fixed or has a fixed answer, which needs a value. */
export const FixedAnswers = ({ template, values, errors, onChange }: FixedAnswersProps) => {
  const { t } = useTranslation();
  useQuery(errorTextsQuery);
  return (
    <fieldset className={css.fixedAnswers}>
      <legend>{t('grants.onlyAnswers')}</legend>
      {template.survey_vars
        .filter(({ type }) => type !== 'secret')
        .map((variable) => {
          const { name } = variable;
          const { [name]: value, ...others } = values;
          return (
            <div key={name}>
              <Checkbox
                label={t('grants.fixAnswer', { title: variableTitle(variable) })}
                description={
                  variable.show_when
                    ? t('grants.askedOnlyIf', conditionTexts(t, variable.show_when, template.survey_vars))
                    : undefined
                }
                checked={value !== undefined}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? { ...values, ...startAnswers([variable], undefined) } : others)
                }
              />
              {value === undefined ? null : (
                <AnswerField
                  variable={{ ...variable, required: true }}
                  template={template}
                  mayRun
                  path={`answers.${name}`}
                  value={value}
                  error={errors[`answers.${name}`]}
                  onChange={(answer) => onChange({ ...values, [name]: answer })}
                />
              )}
            </div>
          );
        })}
    </fieldset>
  );
};

import type { SurveyVariable } from '@signalbox/contract';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { fixedAnswers, type GrantedTemplate } from '../granted/granted-template.ts';
import type { NewTaskFormState } from '../new-task-form.tsx';
import { AnswerField } from './answer-field.tsx';
import { ShownBecause } from './shown-because.tsx';
import css from './survey.module.css';
import { readAnswers } from './survey-values.ts';

interface SurveyFieldsProps {
  form: NewTaskFormState;
  template: GrantedTemplate;
  /** Whether the user may start tasks, and so read choices from their sources. */
  mayRun: boolean;
}

/** A heading, with the number of its variables. */
const GroupHeading = ({ name, variables }: { name: string; variables: readonly SurveyVariable[] }) => {
  const { t } = useTranslation();
  const depending = variables.filter(({ show_when }) => show_when !== null).length;
  return (
    <div className={css.group}>
      <h3>{name}</h3>
      <span>
        {t('survey.count', { count: variables.length })}
        {depending === 0 ? null : `${t('separator.comma')}${t('survey.depending', { count: depending })}`}
      </span>
    </div>
  );
};

/** One field for each variable of the survey that is asked for with the answers so far. */
export const SurveyFields = ({ form, template, mayRun }: SurveyFieldsProps) => {
  const survey = template.survey_vars;
  const { t } = useTranslation();
  const { asked } = readAnswers(survey, form.values.answers);
  const fixed = fixedAnswers(template);
  return (
    <div className={css.survey}>
      {asked.map((variable, index) => (
        <Fragment key={variable.name}>
          {variable.group !== '' && variable.group !== asked[index - 1]?.group ? (
            <GroupHeading name={variable.group} variables={survey.filter(({ group }) => group === variable.group)} />
          ) : null}
          <fieldset
            className={`${css.field} ${variable.show_when ? css.conditional : ''}`}
            data-wide={variable.type === 'multiline'}
            disabled={Object.hasOwn(fixed, variable.name)}
          >
            <AnswerField
              variable={variable}
              template={template}
              mayRun={mayRun}
              path={`answers.${variable.name}`}
              value={form.values.answers[variable.name] ?? ''}
              error={form.errors[`answers.${variable.name}`]}
              onChange={(value) => form.setFieldValue(`answers.${variable.name}`, value)}
            />
            {Object.hasOwn(fixed, variable.name) ? <p className={css.because}>{t('grants.fixed')}</p> : null}
            {variable.show_when ? <ShownBecause condition={variable.show_when} survey={survey} /> : null}
          </fieldset>
        </Fragment>
      ))}
    </div>
  );
};

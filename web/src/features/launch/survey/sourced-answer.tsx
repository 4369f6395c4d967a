import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { choicesQuery } from '../../../api/choices-query.ts';
import { LookupNote } from '../../../ui/forms/lookup-note.tsx';
import { useAnswerHint } from './answer-hint.ts';
import { type AnswerFieldProps, AnswerLabel } from './answer-label.tsx';

/** Maximum number of choices that are shown at once; typing finds the others. */
const SHOWN = 100;

/** The choices of a variable, which the server reads from their source, and a note about them. */
const useChoices = ({ template, variable, mayRun }: AnswerFieldProps) => {
  const { t } = useTranslation();
  const hint = useAnswerHint(variable);
  const found = useQuery({ ...choicesQuery(template.project_id, template.id, variable.name), enabled: mayRun });
  const failure = found.isFetching || !found.error ? undefined : errorText(found.error);
  const isEmpty = found.data?.length === 0;
  const note = found.isFetching ? t('survey.readingChoices') : (failure ?? (isEmpty ? t('survey.noChoices') : hint));
  return { choices: found.data ?? [], note, retry: failure ? () => void found.refetch() : undefined };
};

/** The field for an answer whose choices come from a source. An answer that is no choice stays visible. */
export const SourcedAnswer = (props: AnswerFieldProps) => {
  const { variable, path, value, error, onChange } = props;
  const { t } = useTranslation();
  const { choices, note, retry } = useChoices(props);
  const chosen = Array.isArray(value) ? value : [value].filter((text) => text !== '');
  const others = chosen.filter((text) => !choices.some((choice) => choice.value === text));
  const options = [...choices, ...others.map((other) => ({ value: other, name: '' }))];
  const common = {
    'data-path': path,
    label: <AnswerLabel variable={variable} />,
    description: <LookupNote text={note} retry={retry} />,
    error,
    required: variable.required,
    placeholder: variable.placeholder || undefined,
    data: options.map((choice) => ({ value: choice.value, label: choice.name || choice.value })),
    limit: SHOWN,
    searchable: true,
    nothingFoundMessage: t('list.noMatch'),
  };
  if (variable.type === 'multiple') return <MultiSelect {...common} value={chosen} onChange={onChange} />;
  return (
    <Select
      {...common}
      clearable={!variable.required}
      allowDeselect={!variable.required}
      value={chosen[0] ?? null}
      onChange={(next) => onChange(next ?? '')}
    />
  );
};

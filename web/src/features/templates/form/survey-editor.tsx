import { Checkbox, Select, TextInput } from '@mantine/core';
import type { SurveyVariable } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../ui/basics/button.tsx';
import css from './template-form.module.css';
import type { SurveyRow } from './template-values.ts';

interface SurveyEditorProps {
  rows: readonly SurveyRow[];
  onChange: (rows: SurveyRow[]) => void;
  error: ReactNode;
}

/** The variables that the new task dialog asks for. */
export const SurveyEditor = ({ rows, onChange, error }: SurveyEditorProps) => {
  const { t } = useTranslation();
  const change = (key: number, part: Partial<SurveyVariable>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    onChange([...rows, { key, name: '', title: '', description: '', type: '', required: false }]);
  };
  return (
    <section className={css.survey} aria-label={t('survey.title')}>
      {rows.map(({ key, name, title, description, type, required }) => (
        <div key={key} className={css.variable}>
          <TextInput
            label={t('survey.name')}
            spellCheck={false}
            maxLength={255}
            value={name}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
          />
          <TextInput
            label={t('survey.label')}
            maxLength={255}
            value={title}
            onChange={(event) => change(key, { title: event.currentTarget.value })}
          />
          <TextInput
            label={t('survey.description')}
            maxLength={1024}
            value={description}
            onChange={(event) => change(key, { description: event.currentTarget.value })}
          />
          <Select
            label={t('column.type')}
            data={[
              { value: 'text', label: t('survey.text') },
              { value: 'int', label: t('survey.integer') },
            ]}
            allowDeselect={false}
            value={type === 'int' ? 'int' : 'text'}
            onChange={(value) => change(key, { type: value === 'int' ? 'int' : '' })}
          />
          <Checkbox
            label={t('survey.required')}
            checked={required}
            onChange={(event) => change(key, { required: event.currentTarget.checked })}
          />
          <IconButton
            icon="trash"
            label={t('survey.remove', { name: title || name })}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          />
        </div>
      ))}
      {error ? (
        <p className={css.problem} role="alert">
          {error}
        </p>
      ) : null}
      <Button small icon="plus" onClick={add}>
        {t('survey.add')}
      </Button>
    </section>
  );
};

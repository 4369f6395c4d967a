import { Checkbox, Select, TextInput } from '@mantine/core';
import { hasChoices, SURVEY_TYPES } from '@signalbox/contract/survey';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../../ui/basics/button.tsx';
import { Icon } from '../../../../ui/basics/icon.tsx';
import { ChoicesEditor } from './choices-editor.tsx';
import { type BuildTemplate, SourceEditor } from './source-editor.tsx';
import css from './survey-editor.module.css';
import type { SurveyErrors, SurveyRow } from './survey-rows.ts';
import { VariableDetails } from './variable-details.tsx';

export interface VariableEditorProps {
  row: SurveyRow;
  /** The variables on which this one may depend. */
  conditions: readonly SurveyRow[];
  /** The build templates of the project, whose versions can be choices. */
  builds: readonly BuildTemplate[] | undefined;
  errors: SurveyErrors;
  isFirst: boolean;
  isLast: boolean;
  onChange: (part: Partial<SurveyRow>) => void;
  onMove: (by: 1 | -1) => void;
  onDrag: () => void;
  onRemove: () => void;
}

/** The empty type of the API, as a select input needs it. */
const TEXT = 'text';

const TYPES = [
  { value: TEXT, labelKey: 'survey.type.text' },
  { value: 'multiline', labelKey: 'survey.type.multiline' },
  { value: 'int', labelKey: 'survey.type.int' },
  { value: 'decimal', labelKey: 'survey.type.decimal' },
  { value: 'bool', labelKey: 'survey.type.bool' },
  { value: 'enum', labelKey: 'survey.type.enum' },
  { value: 'multiple', labelKey: 'survey.type.multiple' },
  { value: 'secret', labelKey: 'survey.type.secret' },
  { value: 'date', labelKey: 'survey.type.date' },
  { value: 'datetime', labelKey: 'survey.type.datetime' },
] as const;

/** One variable of a survey: what is asked for, and on demand its limits, default and condition. */
export const VariableEditor = (props: VariableEditorProps) => {
  const { row, builds, errors, isFirst, isLast, onChange, onMove, onDrag, onRemove } = props;
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const { name, title, type, required, values, source } = row;
  const isOpen = wanted || Object.keys(errors).some((field) => field !== 'name' && !/^(values|source)/.test(field));
  const label = title || name;
  return (
    <>
      <div className={css.row}>
        <span className={css.handle} draggable onDragStart={onDrag} title={t('views.drag')} aria-hidden="true">
          <Icon name="menu" />
        </span>
        <TextInput
          label={t('survey.name')}
          spellCheck={false}
          maxLength={255}
          value={name}
          error={errors.name as string | undefined}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('survey.label')}
          maxLength={255}
          value={title}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
        <Select
          label={t('column.type')}
          data={TYPES.map(({ value, labelKey }) => ({ value, label: t(labelKey) }))}
          allowDeselect={false}
          value={type || TEXT}
          onChange={(value) => onChange({ type: SURVEY_TYPES.find((one) => one === value) ?? '' })}
        />
        <span className={css.buttons}>
          <IconButton
            icon="up"
            label={t('survey.up', { name: label })}
            aria-disabled={isFirst || undefined}
            onClick={() => (isFirst ? undefined : onMove(-1))}
          />
          <IconButton
            icon="down"
            label={t('survey.down', { name: label })}
            aria-disabled={isLast || undefined}
            onClick={() => (isLast ? undefined : onMove(1))}
          />
          <IconButton icon="trash" label={t('survey.remove', { name: label })} onClick={onRemove} />
        </span>
      </div>
      <div className={css.under}>
        <div className={css.line}>
          {type === 'bool' ? null : (
            <Checkbox
              label={t('survey.required')}
              checked={required}
              onChange={(event) => onChange({ required: event.currentTarget.checked })}
            />
          )}
          <Button
            small
            variant="quiet"
            icon={isOpen ? 'up' : 'down'}
            aria-expanded={isOpen}
            onClick={() => setWanted(!isOpen)}
          >
            {t(isOpen ? 'survey.less' : 'survey.more')}
          </Button>
        </div>
        {hasChoices(type) ? (
          <SourceEditor
            source={source}
            builds={builds}
            errors={errors}
            onChange={(changed) => onChange({ source: changed })}
          />
        ) : null}
        {hasChoices(type) && source === null ? (
          <ChoicesEditor choices={values} errors={errors} onChange={(choices) => onChange({ values: choices })} />
        ) : null}
        {isOpen ? <VariableDetails {...props} /> : null}
      </div>
    </>
  );
};

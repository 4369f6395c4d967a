import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/basics/button.tsx';
import { FieldError } from '../../../../ui/forms/field-error.tsx';
import { moved } from '../../../../ui/lists/moved.ts';
import type { BuildTemplate } from './source-editor.tsx';
import css from './survey-editor.module.css';
import { errorsOf, possibleConditions, type SurveyErrors, type SurveyRow, withNewVariable } from './survey-rows.ts';
import { VariableEditor } from './variable-editor.tsx';

interface SurveyEditorProps {
  rows: readonly SurveyRow[];
  /** The build templates of the project, whose versions can be choices. */
  builds: readonly BuildTemplate[] | undefined;
  onChange: (rows: SurveyRow[]) => void;
  error: ReactNode;
  /** The errors of single fields. */
  errors: SurveyErrors;
}

/** The variables that the new task dialog asks for, in their order. */
export const SurveyEditor = ({ rows, builds, onChange, error, errors }: SurveyEditorProps) => {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<number>();
  const change = (key: number, part: Partial<SurveyRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const dropOn = (event: DragEvent, to: number): void => {
    event.preventDefault();
    if (dragged !== undefined && dragged !== to) onChange(moved(rows, dragged, to));
    setDragged(undefined);
  };
  return (
    <section className={css.survey} aria-label={t('survey.title')}>
      <ol className={css.variables}>
        {rows.map((row, index) => (
          <li
            key={row.key}
            className={css.variable}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => dropOn(event, index)}
          >
            <VariableEditor
              row={row}
              conditions={possibleConditions(rows, index)}
              builds={builds}
              errors={errorsOf(errors, index)}
              isFirst={index === 0}
              isLast={index === rows.length - 1}
              onChange={(part) => change(row.key, part)}
              onMove={(by) => onChange(moved(rows, index, index + by))}
              onDrag={() => setDragged(index)}
              onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
            />
          </li>
        ))}
      </ol>
      {error ? <FieldError role="alert">{error}</FieldError> : null}
      <Button small icon="plus" onClick={() => onChange(withNewVariable(rows))}>
        {t('survey.add')}
      </Button>
    </section>
  );
};

import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextButton } from '../basics/text-button.tsx';
import { lazyPart } from '../browser/lazy-part.ts';
import css from './code-editor.module.css';
import { FieldError } from './field-error.tsx';

const CodeMirror = lazyPart(() => import('./code-mirror.tsx'), 'CodeMirror');

export interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  language: 'yaml' | 'json' | 'text';
  help?: string;
  /** The error message. */
  error?: string | undefined;
  /** An example text, offered while the field is empty. */
  example?: string;
  isDisabled?: boolean;
  /** Numbers of tinted lines, from 1. */
  tinted?: readonly number[];
}

const NO_LINES: readonly number[] = [];

/** Input for code with line numbers, syntax colours, and an error message that names the line. */
export const CodeEditor = ({
  label,
  value,
  onChange,
  language,
  help,
  error: given,
  example,
  isDisabled = false,
  tinted = NO_LINES,
}: CodeEditorProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [broken, setBroken] = useState<number>();
  const error =
    given ??
    (language === 'yaml' && broken !== undefined
      ? t('code.line', { line: broken, problem: t('code.yaml') })
      : undefined);
  const isEmpty = value.trim() === '' || value.trim() === '{}';
  return (
    <div className={css.field}>
      <div className={css.head}>
        <span className={css.label} id={id}>
          {label}
        </span>
        {example !== undefined && isEmpty && !isDisabled ? (
          <TextButton onClick={() => onChange(example)}>{t('code.example')}</TextButton>
        ) : null}
      </div>
      <div className={css.box} data-invalid={error === undefined ? undefined : true}>
        <Suspense fallback={<div className={css.coming} aria-busy="true" />}>
          <CodeMirror
            value={value}
            onChange={onChange}
            isYaml={language !== 'text'}
            isDisabled={isDisabled}
            onBroken={setBroken}
            labelledBy={id}
            describedBy={`${id}-error ${id}-help`}
            isInvalid={error !== undefined}
            tinted={tinted}
          />
        </Suspense>
      </div>
      {help === undefined ? null : (
        <p className={css.help} id={`${id}-help`}>
          {help}
        </p>
      )}
      {error === undefined ? null : (
        <FieldError role="alert" id={`${id}-error`}>
          {error}
        </FieldError>
      )}
    </div>
  );
};

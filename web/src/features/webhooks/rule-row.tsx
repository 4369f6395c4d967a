import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/basics/button.tsx';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { SOURCE_LABELS } from './webhook-labels.ts';
import type { ExtractorRow, MatcherRow } from './webhook-values.ts';
import css from './webhooks.module.css';

interface SourceFieldsProps {
  row: MatcherRow | ExtractorRow;
  error: ReactNode;
  onChange: (part: Pick<Partial<MatcherRow>, 'source' | 'path'>) => void;
}

/** Where a rule finds its value: the first two fields of a row. */
export const SourceFields = ({ row, error, onChange }: SourceFieldsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <Select
        aria-label={t('webhooks.from')}
        allowDeselect={false}
        data={Object.entries(SOURCE_LABELS).map(([value, key]) => ({ value, label: t(key) }))}
        value={row.source}
        onChange={(source) => onChange({ source: source === 'header' ? 'header' : 'body' })}
      />
      <TextInput
        className={css.mono ?? ''}
        aria-label={t('webhooks.path')}
        placeholder={row.source === 'header' ? 'X-GitHub-Event' : '$.action'}
        spellCheck={false}
        maxLength={255}
        value={row.path}
        error={error}
        onChange={(event) => onChange({ path: event.currentTarget.value })}
      />
    </>
  );
};

interface FoundProps {
  /** Whether the condition matches; undefined for a value. */
  isMatch?: boolean | undefined;
  /** What the rule finds in the sample: null for nothing, undefined while it is not tried. */
  value: string | null | undefined;
}

/** What a rule finds in the sample. */
export const Found = ({ isMatch, value }: FoundProps) => {
  const { t } = useTranslation();
  const text = value === null ? t('webhooks.noValue') : value;
  return (
    <span className={css.found} title={text}>
      {isMatch === undefined ? null : (
        <>
          <StatusIcon colour={isMatch ? 'ok' : 'error'} shape={isMatch ? 'check' : 'cross'} />
          <span className="sr">{t(isMatch ? 'webhooks.matches' : 'webhooks.matchesNot')} </span>
        </>
      )}
      <span className={value === null ? 'muted' : 'mono'}>{text}</span>
    </span>
  );
};

interface RowProps {
  /** Columns of the row without the result: four fields. */
  children: ReactNode;
  found: ReactNode;
  remove: string;
  onRemove: () => void;
}

/** A rule with its result and the button that removes it. */
export const RuleRow = ({ children, found, remove, onRemove }: RowProps) => (
  <div className={css.rule} data-rule>
    {children}
    {found}
    <IconButton icon="close" label={remove} onClick={onRemove} />
  </div>
);

/** The headings of the columns, which wide windows show. The fields have names of their own. */
export const RuleHead = ({ titles }: { titles: readonly string[] }) => {
  const { t } = useTranslation();
  return (
    <div className={css.ruleHead} aria-hidden="true">
      {[...titles, t('webhooks.withSample')].map((title) => (
        <span key={title}>{title}</span>
      ))}
    </div>
  );
};

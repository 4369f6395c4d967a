import { Select, TextInput } from '@mantine/core';
import type { Template } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/basics/button.tsx';
import { Found, RuleHead, RuleRow, SourceFields } from './rule-row.tsx';
import type { SampleTest } from './use-sample-test.ts';
import { useTargetLabels } from './use-target-labels.ts';
import { METHOD_LABELS } from './webhook-labels.ts';
import { type ExtractorRow, type MatcherRow, nextKey } from './webhook-values.ts';
import css from './webhooks.module.css';

const TARGETS = ['limit', 'branch', 'commit', 'message'] as const;
/** Maximum number of conditions, and of values. */
const MAX_ROWS = 20;

interface RowsProps<Row> {
  rows: readonly Row[];
  /** The error of a field of a row. */
  errorOf: (n: number, field: string) => ReactNode;
  test: SampleTest | undefined;
  mayEdit: boolean;
  onChange: (rows: readonly Row[]) => void;
}

const changed = <Row extends { readonly key: number }>(rows: readonly Row[], key: number, part: Partial<Row>) =>
  rows.map((row) => (row.key === key ? { ...row, ...part } : row));

interface RuleSectionProps {
  title: string;
  help: string;
  /** The headings of the columns; undefined without rows. */
  columns: readonly string[] | undefined;
  /** The label of the button that adds a row; undefined if no row can be added. */
  add: string | undefined;
  onAdd: () => void;
  children: ReactNode;
}

/** A heading, rows and the button that adds one. */
const RuleSection = ({ title, help, columns, add, onAdd, children }: RuleSectionProps) => (
  <section className={css.rules} aria-label={title}>
    <h2>
      {title} <small>{help}</small>
    </h2>
    {columns ? <RuleHead titles={columns} /> : null}
    {children}
    {add === undefined ? null : (
      <Button small icon="plus" variant="quiet" onClick={onAdd}>
        {add}
      </Button>
    )}
  </section>
);

/** The conditions of a webhook, each with its result for the sample. */
export const MatcherRows = ({ rows, errorOf, test, mayEdit, onChange }: RowsProps<MatcherRow>) => {
  const { t } = useTranslation();
  return (
    <RuleSection
      title={t('webhooks.conditions')}
      help={t('webhooks.conditionsHelp')}
      columns={
        rows.length > 0 ? [t('webhooks.from'), t('webhooks.path'), t('webhooks.is'), t('webhooks.value')] : undefined
      }
      add={mayEdit && rows.length < MAX_ROWS ? t('webhooks.addCondition') : undefined}
      onAdd={() => onChange([...rows, { key: nextKey(rows), source: 'body', path: '', method: 'equals', value: '' }])}
    >
      {rows.map((row, n) => (
        <RuleRow
          key={row.key}
          found={<Found isMatch={test?.matchers.get(row.key)?.is_match} value={test?.matchers.get(row.key)?.value} />}
          remove={t('webhooks.removeCondition', { number: n + 1 })}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        >
          <SourceFields
            row={row}
            error={errorOf(n, 'path')}
            onChange={(part) => onChange(changed(rows, row.key, part))}
          />
          <Select
            aria-label={t('webhooks.is')}
            allowDeselect={false}
            data={Object.entries(METHOD_LABELS).map(([value, key]) => ({ value, label: t(key) }))}
            value={row.method}
            onChange={(method) => onChange(changed(rows, row.key, { method: method as MatcherRow['method'] }))}
          />
          <TextInput
            className={css.mono ?? ''}
            aria-label={t('webhooks.value')}
            spellCheck={false}
            disabled={row.method === 'exists'}
            maxLength={1024}
            value={row.value}
            error={errorOf(n, 'value')}
            onChange={(event) => onChange(changed(rows, row.key, { value: event.currentTarget.value }))}
          />
        </RuleRow>
      ))}
    </RuleSection>
  );
};

type Into = Pick<ExtractorRow, 'target' | 'variable'>;

const ANSWER = 'answer:';
const chosenOf = ({ target, variable }: Into) => (target === 'answer' ? `${ANSWER}${variable}` : target);
const intoOf = (chosen: string): Into =>
  chosen.startsWith(ANSWER)
    ? { target: 'answer', variable: chosen.slice(ANSWER.length) }
    : { target: TARGETS.find((target) => target === chosen) ?? 'message', variable: '' };

/** The values that a webhook takes from calls, each with its result for the sample. */
export const ExtractorRows = ({
  rows,
  errorOf,
  test,
  mayEdit,
  onChange,
  template,
}: RowsProps<ExtractorRow> & { template: Template }) => {
  const { t } = useTranslation();
  const labelOf = useTargetLabels(template);
  const survey = template.survey_vars.filter(({ type }) => type !== 'secret').map(({ name }) => name);
  // A stored value may belong to a variable that the survey no longer has.
  const used = rows.flatMap(({ target, variable }) => (target === 'answer' ? [variable] : []));
  const targets: Into[] = [
    ...[...new Set([...survey, ...used])].map((variable) => ({ target: 'answer' as const, variable })),
    ...TARGETS.map((target) => ({ target, variable: '' })),
  ];
  const data = targets.map((into) => ({ value: chosenOf(into), label: labelOf(into) }));
  return (
    <RuleSection
      title={t('webhooks.fillIn')}
      help={t('webhooks.fillInHelp')}
      columns={
        rows.length > 0
          ? [t('webhooks.from'), t('webhooks.path'), t('webhooks.pattern'), t('webhooks.into')]
          : undefined
      }
      add={mayEdit && rows.length < MAX_ROWS ? t('webhooks.addValue') : undefined}
      onAdd={() => {
        const into = targets.find((one) => !rows.some((row) => chosenOf(row) === chosenOf(one)));
        const empty = { key: nextKey(rows), source: 'body', path: '', pattern: '' } as const;
        onChange([...rows, { ...empty, ...(into ?? { target: 'message', variable: '' }) }]);
      }}
    >
      {rows.map((row, n) => (
        <RuleRow
          key={row.key}
          found={<Found value={test?.extractors.get(row.key)?.value} />}
          remove={t('webhooks.removeValue', { number: n + 1 })}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        >
          <SourceFields
            row={row}
            error={errorOf(n, 'path')}
            onChange={(part) => onChange(changed(rows, row.key, part))}
          />
          <TextInput
            className={css.mono ?? ''}
            aria-label={t('webhooks.pattern')}
            placeholder={t('webhooks.wholeValue')}
            spellCheck={false}
            maxLength={1024}
            value={row.pattern}
            error={errorOf(n, 'pattern')}
            onChange={(event) => onChange(changed(rows, row.key, { pattern: event.currentTarget.value }))}
          />
          <Select
            aria-label={t('webhooks.into')}
            allowDeselect={false}
            data={data}
            value={chosenOf(row)}
            error={errorOf(n, 'variable')}
            onChange={(chosen) => onChange(changed(rows, row.key, intoOf(chosen ?? 'message')))}
          />
        </RuleRow>
      ))}
    </RuleSection>
  );
};

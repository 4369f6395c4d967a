import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { projectsQuery, templatesQuery } from '../../api/queries.ts';
import { SCOPE_TEXTS, type TokenValues, tokenSummary } from './token-values.ts';
import css from './users.module.css';

/** Days after which a new token can expire. */
const LIFETIMES = [30, 90, 365];

interface TokenFieldsProps {
  values: TokenValues;
  /** Whether the user of the token can read the metrics. */
  isAdmin: boolean;
  nameError: ReactNode;
  onChange: (change: Partial<TokenValues>) => void;
}

const chosen = <T extends { readonly id: number }>(all: readonly T[], ids: readonly string[]): T[] | null =>
  ids.length === 0 ? null : all.filter(({ id }) => ids.includes(String(id)));

/** What a new API token may do, and for how long, with a summary. */
export const TokenFields = ({ values, isAdmin, nameError, onChange }: TokenFieldsProps) => {
  const { t } = useTranslation();
  const { data: projects = [] } = useQuery(projectsQuery());
  const { scope } = values;
  const runsSome = scope === 'run' && values.projects.length > 0;
  const templates = useQueries({
    queries: runsSome ? values.projects.map((id) => templatesQuery(Number(id))) : [],
    combine: (results) => results.flatMap(({ data = [] }) => data),
  });
  const scopes = (['everything', 'read', 'run', 'metrics'] as const).filter((one) => one !== 'metrics' || isAdmin);
  const summary = tokenSummary(
    {
      scopes: [scope],
      projects: chosen(projects, values.projects),
      templates: runsSome ? chosen(templates, values.templates) : null,
    },
    t,
  );
  return (
    <>
      <div className={css.newToken}>
        <TextInput
          aria-label={t('tokens.name')}
          placeholder={t('tokens.name')}
          maxLength={255}
          required
          data-path="name"
          value={values.name}
          error={nameError}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          aria-label={t('tokens.expiry')}
          data={[
            { value: '', label: t('tokens.noExpiry') },
            ...LIFETIMES.map((count) => ({ value: String(count), label: t('tokens.days', { count }) })),
          ]}
          allowDeselect={false}
          value={values.days}
          onChange={(days) => onChange({ days: days ?? '' })}
        />
      </div>
      <Select
        className={css.restriction ?? ''}
        label={t('tokens.scope')}
        data={scopes.map((value) => ({ value, label: t(SCOPE_TEXTS[value]) }))}
        allowDeselect={false}
        value={scope}
        onChange={(value) =>
          onChange({
            scope: scopes.find((one) => one === value) ?? 'everything',
            templates: [],
            ...(value === 'metrics' ? { projects: [] } : {}),
          })
        }
      />
      {scope === 'metrics' ? null : (
        <MultiSelect
          className={css.restriction ?? ''}
          label={t('tokens.projects')}
          placeholder={values.projects.length === 0 ? t('tokens.allProjects') : ''}
          data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          searchable
          clearable
          nothingFoundMessage={t('list.noMatch')}
          value={values.projects}
          onChange={(ids) => onChange({ projects: ids, templates: [] })}
        />
      )}
      {runsSome ? (
        <MultiSelect
          className={css.restriction ?? ''}
          label={t('tokens.templates')}
          placeholder={values.templates.length === 0 ? t('tokens.allTemplates') : ''}
          data={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
          searchable
          clearable
          nothingFoundMessage={t('list.noMatch')}
          value={values.templates}
          onChange={(ids) => onChange({ templates: ids })}
        />
      ) : null}
      <p className={css.help} aria-live="polite">
        {t('tokens.summary', { what: summary })}
      </p>
    </>
  );
};

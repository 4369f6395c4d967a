import { Select, TextInput } from '@mantine/core';
import type { SecretVariableType } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../ui/basics/button.tsx';
import { PasswordInput } from '../../ui/forms/password-input.tsx';
import type { SecretRow } from './environment-values.ts';
import css from './resources.module.css';

interface SecretRowsProps {
  rows: readonly SecretRow[];
  onChange: (rows: SecretRow[]) => void;
  error: React.ReactNode;
}

/** The inputs for the secret variables of an environment. Stored values are never shown; they can only be replaced. */
export const SecretRows = ({ rows, onChange, error }: SecretRowsProps) => {
  const { t } = useTranslation();
  const change = (key: number, part: Partial<SecretRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () => {
    // Stored rows have their ids as keys, so new rows get negative keys.
    const key = Math.min(0, ...rows.map((row) => row.key)) - 1;
    onChange([...rows, { key, id: null, name: '', type: 'var', secret: '' }]);
  };
  return (
    <section className={css.secrets} aria-label={t('environment.secrets')}>
      <h3>{t('environment.secrets')}</h3>
      <p className={css.help}>{t('environment.secretsHelp')}</p>
      {rows.map(({ key, id, name, type, secret }) => (
        <div key={key} className={css.secret}>
          <TextInput
            aria-label={t('environment.secretNameOf')}
            placeholder={t('environment.secretNameOf')}
            spellCheck={false}
            value={name}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
          />
          <Select
            aria-label={t('environment.secretKind')}
            data={[
              { value: 'var', label: t('environment.kindVar') },
              { value: 'env', label: t('environment.kindEnv') },
            ]}
            allowDeselect={false}
            disabled={id !== null}
            value={type}
            onChange={(value) => change(key, { type: (value ?? 'var') as SecretVariableType })}
          />
          <PasswordInput
            aria-label={t('environment.secretValueOf')}
            placeholder={id === null ? t('environment.secretValueOf') : t('environment.secretKept')}
            autoComplete="new-password"
            value={secret}
            onChange={(event) => change(key, { secret: event.currentTarget.value })}
          />
          <IconButton
            icon="trash"
            label={t('environment.secretRemove', { name })}
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
        {t('environment.secretAdd')}
      </Button>
    </section>
  );
};

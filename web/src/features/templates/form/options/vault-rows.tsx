import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../../ui/basics/button.tsx';
import { FieldRow } from '../../../../ui/dialogs/form-dialog.tsx';
import { ObjectSelect } from '../../../../ui/forms/object-select.tsx';
import css from './vault-rows.module.css';

export interface VaultRow {
  readonly key: number;
  readonly name: string;
  readonly vault_key_id: string | null;
}

const EXAMPLE = 'prod';

interface VaultRowsProps {
  rows: readonly VaultRow[];
  keys: readonly { readonly id: number; readonly name: string }[] | undefined;
  errors: Readonly<Record<string, React.ReactNode>>;
  onChange: (rows: VaultRow[]) => void;
}

/** The passwords of vaults that have an id. */
export const VaultRows = ({ rows, keys, errors, onChange }: VaultRowsProps) => {
  const { t } = useTranslation();
  const change = (key: number, part: Partial<VaultRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <div className={css.vaults}>
      {rows.map(({ key, name, vault_key_id }, index) => (
        <div key={key} className={css.vault}>
          <FieldRow>
            <TextInput
              label={t('optionRules.vaultId')}
              placeholder={EXAMPLE}
              maxLength={64}
              spellCheck={false}
              data-path={`vaults.${index}.name`}
              value={name}
              onChange={(event) => change(key, { name: event.currentTarget.value })}
              error={errors[`vaults.${index}.name`]}
            />
            <ObjectSelect
              label={t('templateForm.vault')}
              placeholder={t('keys.choose')}
              icon="key"
              items={keys}
              value={vault_key_id}
              onChange={(id) => change(key, { vault_key_id: id })}
              error={errors[`vaults.${index}.vault_key_id`]}
            />
          </FieldRow>
          <IconButton
            icon="trash"
            label={t('optionRules.removeVault', { name })}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          />
        </div>
      ))}
      {errors.vaults ? (
        <p className={css.problem} role="alert">
          {errors.vaults}
        </p>
      ) : null}
      <Button
        small
        icon="plus"
        onClick={() =>
          onChange([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: '', vault_key_id: null }])
        }
      >
        {t('optionRules.addVault')}
      </Button>
    </div>
  );
};

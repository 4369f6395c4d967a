import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { environmentsQuery, inventoryQuery, keysQuery, roleQuery } from '../../../api/queries.ts';
import { mayDo } from '../../../ui/access/permissions.ts';
import { FieldRow } from '../../../ui/dialogs/form-dialog.tsx';
import { ObjectSelect } from '../../../ui/forms/object-select.tsx';
import { fileOf, fileOptions, type TargetValues } from './proposals.ts';

interface TargetFieldsProps {
  project: number;
  /** The inventory files of the repository. */
  files: readonly string[];
  values: TargetValues;
  /** Whether missing values are shown as errors. */
  wasSubmitted: boolean;
  onChange: (change: Partial<TargetValues>) => void;
}

/** The inventory and the environment of all new templates. */
export const TargetFields = ({ project, files, values, wasSubmitted, onChange }: TargetFieldsProps) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(project));
  const { data: inventories } = useQuery(inventoryQuery(project));
  const { data: environments } = useQuery(environmentsQuery(project));
  const { data: keys } = useQuery(keysQuery(project));
  const options = mayDo(role, 'edit_inventories') ? fileOptions(files, inventories ?? []) : [];
  const missing = (value: string | null, text: string) => (wasSubmitted && value === null ? t(text) : undefined);
  const file = fileOf(values.inventory);
  return (
    <>
      <FieldRow>
        <ObjectSelect
          label={t('inventory.title')}
          placeholder={t('templateForm.chooseInventory')}
          icon="inventory"
          create="inventory"
          items={inventories}
          others={options.map(({ value, path }) => ({ value, label: t('playbooks.file', { path }) }))}
          value={values.inventory}
          onChange={(inventory) => onChange({ inventory })}
          error={missing(values.inventory, 'templateForm.inventoryRequired')}
        />
        <ObjectSelect
          label={t('environment.title')}
          placeholder={t('playbooks.noVariables')}
          icon="environment"
          create="environment"
          items={environments}
          isOptional
          value={values.environment}
          onChange={(environment) => onChange({ environment })}
        />
      </FieldRow>
      {file === undefined ? null : (
        <ObjectSelect
          label={t('inventory.credentials')}
          help={t('playbooks.keyHelp', { path: file })}
          placeholder={t('playbooks.chooseKey')}
          icon="key"
          create="key"
          items={keys}
          value={values.key}
          onChange={(key) => onChange({ key })}
          error={missing(values.key, 'inventory.credentialsRequired')}
        />
      )}
    </>
  );
};

import { Checkbox, TextInput } from '@mantine/core';
import type { SavedFilter } from '@signalbox/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../api/api-error.ts';
import { call } from '../../../../api/call.ts';
import { queryKey } from '../../../../api/keys.ts';
import { useSaving } from '../../../../api/use-saving.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';

interface FilterDialogProps {
  project: number;
  /** The saved filter to rename; undefined for a new one. */
  filter: SavedFilter | undefined;
  /** The conditions of a new filter. */
  conditions: SavedFilter['filter'];
  mayShare: boolean;
  onSaved: (filter: SavedFilter) => void;
  onClose: () => void;
}

type Values = Pick<SavedFilter, 'name' | 'shared'>;

/** Asks for the name of a saved filter, and whether it is shared. */
export const FilterDialog = ({ project, filter, conditions, mayShare, onSaved, onClose }: FilterDialogProps) => {
  const { t } = useTranslation();
  const [values, setValues] = useState<Values>({ name: filter?.name ?? '', shared: filter?.shared ?? false });
  const [fields, setFields] = useState<Record<string, string>>({});
  const saving = useSaving({
    send: async ({ name, shared }: Values): Promise<SavedFilter> => {
      const params = { project_id: project };
      const body = { name: name.trim(), shared };
      if (!filter) return await call('createSavedFilter', { params, body: { ...body, filter: conditions } });
      await call('updateSavedFilter', { params: { ...params, saved_filter_id: filter.id }, body });
      return { ...filter, ...body };
    },
    stale: queryKey.savedFilters(project),
    onSaved: (_, answer) => onSaved(answer),
    onFields: setFields,
  });
  return (
    <FormDialog
      title={t(filter ? 'savedFilters.rename' : 'savedFilters.save')}
      which={filter?.name}
      width={480}
      error={saving.error && fields.name === undefined ? errorText(saving.error) : undefined}
      isDirty={values.name !== (filter?.name ?? '') || values.shared !== (filter?.shared ?? false)}
      isBusy={saving.isPending}
      save={t('savedFilters.submit')}
      onSubmit={(event) => {
        event.preventDefault();
        setFields({});
        saving.mutate(values);
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('form.name')}
        description={filter ? undefined : t('savedFilters.help')}
        maxLength={255}
        data-autofocus
        value={values.name}
        error={fields.name}
        onChange={({ currentTarget: { value: name } }) => setValues((now) => ({ ...now, name }))}
      />
      {mayShare ? (
        <Checkbox
          label={t('savedFilters.share')}
          checked={values.shared}
          onChange={({ currentTarget: { checked: shared } }) => setValues((now) => ({ ...now, shared }))}
        />
      ) : null}
    </FormDialog>
  );
};

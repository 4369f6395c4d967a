import type { BodyInput, RouteTable } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inventoryQuery, labelsQuery, viewsQuery } from '../../../api/queries.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { ObjectSelect } from '../../../ui/forms/object-select.tsx';
import css from '../templates.module.css';

type Change = Omit<BodyInput<RouteTable['changeTemplates']>, 'ids'>;

interface ChangeSelectedDialogProps {
  project: number;
  count: number;
  isBusy: boolean;
  onChange: (change: Change) => void;
  onClose: () => void;
}

type Field = 'add' | 'remove' | 'view' | 'inventory';

/** The choice that moves templates out of their view. */
const NO_VIEW = '0';

const changeOf = ({ add, remove, view, inventory }: Partial<Record<Field, string>>): Change => ({
  ...(add !== undefined && { add_labels: [Number(add)] }),
  ...(remove !== undefined && { remove_labels: [Number(remove)] }),
  ...(view !== undefined && { view_id: view === NO_VIEW ? null : Number(view) }),
  ...(inventory !== undefined && { inventory_id: Number(inventory) }),
});

/** Changes labels, view and inventory of the selected templates. What is left empty stays as it is. */
export const ChangeSelectedDialog = ({ project, count, isBusy, onChange, onClose }: ChangeSelectedDialogProps) => {
  const { t } = useTranslation();
  const { data: labels } = useQuery(labelsQuery(project));
  const { data: views } = useQuery(viewsQuery(project));
  const { data: inventory } = useQuery(inventoryQuery(project));
  const [values, setValues] = useState<Partial<Record<Field, string>>>({});
  const [isTried, setTried] = useState(false);
  const isEmpty = Object.keys(values).length === 0;
  const field = (name: Field) => ({
    isOptional: true,
    placeholder: t('selectedTemplates.keep'),
    value: values[name] ?? null,
    onChange: (value: string | null) =>
      setValues(({ [name]: _before, ...others }) => (value === null ? others : { ...others, [name]: value })),
  });
  const viewItems = [
    { id: Number(NO_VIEW), name: t('selectedTemplates.noView') },
    ...(views ?? []).map(({ id, title }) => ({ id, name: title })),
  ];
  return (
    <FormDialog
      title={t('selectedTemplates.changeTitle')}
      which={t('selection.count', { count })}
      width={480}
      error={isTried && isEmpty ? t('selectedTemplates.nothing') : undefined}
      isDirty={!isEmpty}
      isBusy={isBusy}
      save={t('selectedTemplates.apply')}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isEmpty) onChange(changeOf(values));
      }}
      onClose={onClose}
    >
      <div className={css.columns}>
        <ObjectSelect label={t('selectedTemplates.addLabel')} icon="label" items={labels} {...field('add')} />
        <ObjectSelect label={t('selectedTemplates.removeLabel')} icon="label" items={labels} {...field('remove')} />
        <ObjectSelect label={t('selectedTemplates.view')} icon="templates" items={viewItems} {...field('view')} />
        <ObjectSelect
          label={t('selectedTemplates.inventory')}
          icon="inventory"
          items={inventory}
          {...field('inventory')}
        />
      </div>
    </FormDialog>
  );
};

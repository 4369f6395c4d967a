import { type ComboboxItem, type OptionsFilter, Select } from '@mantine/core';
import { type ReactNode, Suspense, use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../basics/icon.tsx';
import { DeletedMeanwhile } from '../dialogs/deleted-meanwhile.ts';
import css from './field.module.css';
import { NEW_OBJECT_LABELS, NewObject, type NewObjectKind } from './new-object.ts';
import { useOptional } from './use-optional.ts';

export interface ObjectSelectProps {
  label: string;
  help?: string;
  placeholder: string;
  icon: IconName;
  items: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** More options, below the objects. */
  others?: readonly ComboboxItem[];
  /** What the last option creates, for users who may. */
  create?: NewObjectKind | undefined;
  /** Adds an empty option. */
  isOptional?: boolean;
  /** The id as text, as select inputs need it. */
  value?: string | null;
  onChange: (value: string | null) => void;
  error?: ReactNode;
}

/** The value of the option that creates an object. */
const NEW = 'new';

const NewOption = ({ label }: { label: string }) => (
  <span className={css.newOption}>
    <Icon name="plus" /> {label}
  </span>
);

/** Finds options by their names. The option that creates an object is always offered. */
const filter: OptionsFilter = ({ options, search }) =>
  (options as ComboboxItem[]).filter(
    ({ value, label }) => value === NEW || label.toLowerCase().includes(search.trim().toLowerCase()),
  );

/** Select input for a named object; typing filters the options. A new object is created in a dialog, and chosen. */
export const ObjectSelect = ({
  help,
  icon,
  items,
  others = [],
  create,
  isOptional = false,
  onChange,
  ...input
}: ObjectSelectProps) => {
  const { t } = useTranslation();
  const optional = useOptional();
  const forms = use(NewObject);
  const [isNew, setNew] = useState(false);
  const Form = create && forms[create];
  const options = [...(items ?? []).map(({ id, name }) => ({ value: String(id), label: name })), ...others];
  return (
    <>
      <Select
        description={help}
        leftSection={<Icon name={icon} />}
        data={create && Form ? [...options, { value: NEW, label: t(NEW_OBJECT_LABELS[create]) }] : options}
        renderOption={({ option }) => (option.value === NEW ? <NewOption label={option.label} /> : option.label)}
        filter={filter}
        searchable
        clearable={isOptional}
        {...(isOptional ? optional : {})}
        nothingFoundMessage={t('list.noMatch')}
        {...input}
        onChange={(value) => (value === NEW ? setNew(true) : onChange(value))}
      />
      {Form && isNew ? (
        <Suspense>
          <DeletedMeanwhile value={false}>
            <Form onClose={() => setNew(false)} onCreated={(id) => onChange(String(id))} />
          </DeletedMeanwhile>
        </Suspense>
      ) : null}
    </>
  );
};

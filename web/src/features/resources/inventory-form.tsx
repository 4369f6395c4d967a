import { TextInput } from '@mantine/core';
import type { Inventory } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { repositoriesQuery, templatesQuery } from '../../api/queries.ts';
import { useRepositoryFiles } from '../../api/use-runner-lookup.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { FieldRow, FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Choice } from '../../ui/forms/choice.tsx';
import { CodeEditor } from '../../ui/forms/code-editor.tsx';
import { ObjectSelect as PickOne } from '../../ui/forms/object-select.tsx';
import { inventoriesOf } from '../../ui/forms/repository-paths.ts';
import { RunnerTagsInput } from '../../ui/forms/runner-tags-input.tsx';
import { SuggestInput, type SuggestInputProps } from '../../ui/forms/suggest-input.tsx';
import {
  INVENTORY_EXAMPLES,
  INVENTORY_TYPES,
  type InventoryValues,
  inventoryBody,
  inventoryProblems,
  newInventoryValues,
} from './inventory-values.ts';
import { KeySelect } from './key-select.tsx';
import type { ResourceFormProps } from './resource-page.tsx';
import { useResourceForm } from './use-resource-form.ts';

interface FileFieldProps extends Pick<SuggestInputProps, 'value' | 'onChange' | 'error'> {
  project: number;
  item: Inventory | undefined;
}

/**
 * The path of the inventory file. The repository is chosen in the template; the repository here is only for
 * suggestions.
 */
const FileField = ({ project, item, ...path }: FileFieldProps) => {
  const { t } = useTranslation();
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const [chosen, setChosen] = useState<string | null>();
  const user = item && templates?.find(({ inventory_id }) => inventory_id === item.id);
  const likely = user?.repository_id ?? (repositories?.length === 1 ? repositories[0]?.id : undefined);
  const repository = chosen === undefined ? likely : Number(chosen) || undefined;
  const { values: files, ...lookup } = useRepositoryFiles(project, repository);
  return (
    <FieldRow>
      <SuggestInput
        suggestions={inventoriesOf(files)}
        label={t('inventory.path')}
        help={t('inventory.pathHelp')}
        {...path}
        {...lookup}
      />
      <PickOne
        label={t('inventory.suggestFrom')}
        help={t('inventory.suggestFromHelp')}
        placeholder={t('templateForm.chooseRepository')}
        icon="repository"
        items={repositories}
        isOptional
        value={repository === undefined ? null : String(repository)}
        onChange={setChosen}
      />
    </FieldRow>
  );
};

/** Form of an inventory: a text or a file in the repository, and the keys for its hosts. */
export const InventoryForm = ({ project, item, mayEdit, uses, onClose, onCreated }: ResourceFormProps<Inventory>) => {
  const { t } = useTranslation();
  const params = { project_id: project };
  const { form, dialog } = useResourceForm<InventoryValues>({
    project,
    kind: 'inventory',
    initial: newInventoryValues(item),
    problems: inventoryProblems,
    send: (values) =>
      item === undefined
        ? call('createInventory', { params, body: inventoryBody(values) })
        : call('updateInventory', { params: { ...params, inventory_id: item.id }, body: inventoryBody(values) }),
    savedText: ({ name }) => t(item ? 'inventory.saved' : 'inventory.created', { name: name.trim() }),
    onClose,
    onCreated,
  });
  const { type } = form.values;
  const text = form.getInputProps('inventory');
  // Members without the permission to change an inventory don't see its text, which may contain passwords.
  const isWithheld = !mayEdit && item?.inventory === '';
  return (
    <FormDialog
      {...dialog}
      width={720}
      title={mayEdit ? t(item ? 'inventory.editTitle' : 'inventory.newTitle') : item?.name}
      which={mayEdit ? item?.name : t('inventory.title')}
      save={t('inventory.save')}
      mayEdit={mayEdit}
    >
      <FieldRow>
        <TextInput
          label={t('form.name')}
          maxLength={255}
          data-autofocus={mayEdit || undefined}
          {...form.getInputProps('name')}
        />
        <Choice
          label={t('column.type')}
          options={INVENTORY_TYPES.map(({ type: value, labelKey }) => ({ value, label: t(labelKey) }))}
          value={type}
          onChange={(value) => form.setFieldValue('type', value)}
        />
      </FieldRow>
      <FieldRow>
        <KeySelect project={project} label={t('inventory.credentials')} {...form.getInputProps('ssh_key_id')} />
        <KeySelect
          project={project}
          label={t('inventory.sudo')}
          help={t('inventory.sudoHelp')}
          types={['login_password']}
          isOptional
          {...form.getInputProps('become_key_id')}
        />
      </FieldRow>
      {isWithheld ? (
        <Alert colour="wait">{t('inventory.withheld')}</Alert>
      ) : type === 'file' ? (
        <FileField project={project} item={item} {...text} />
      ) : (
        <CodeEditor
          key={type}
          label={t('inventory.text')}
          language={type === 'static' ? 'text' : 'yaml'}
          value={form.values.inventory}
          onChange={(value) => form.setFieldValue('inventory', value)}
          error={text.error}
          example={INVENTORY_EXAMPLES[type]}
          isDisabled={!mayEdit}
        />
      )}
      <RunnerTagsInput
        label={t('inventory.runnerTags')}
        description={t('inventory.runnerTagsHelp')}
        placeholder={t('settings.anyRunner')}
        {...form.getInputProps('runner_tags')}
      />
      {uses}
    </FormDialog>
  );
};

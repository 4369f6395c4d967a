import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import type { Key, KeyType } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { repositoriesQuery } from '../../api/queries.ts';
import { FieldRow, FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { ObjectSelect } from '../../ui/forms/object-select.tsx';
import { PasswordInput } from '../../ui/forms/password-input.tsx';
import { AccessTest } from './access-test.tsx';
import {
  KEY_TYPES,
  type KeyValues,
  keyBody,
  keyChange,
  keyProblems,
  keyTestBody,
  maySetSecret,
  newKeyValues,
} from './key-values.ts';
import type { ResourceFormProps } from './resource-page.tsx';
import css from './resources.module.css';
import { useResourceForm } from './use-resource-form.ts';

/** Tests the saved or entered key, alone or with a repository. */
const KeyTest = ({ project, item, values }: { project: number; item: Key | undefined; values: KeyValues }) => {
  const { t } = useTranslation();
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const [repository, setRepository] = useState<string | null>(null);
  const repository_id = repository === null ? null : Number(repository);
  const isNew = maySetSecret(values, item);
  const body = keyTestBody(values, repository_id);
  const params = { project_id: project };
  const hasSecret = !isNew || keyProblems({ ...values, name: '-' }, item).private_key === undefined;
  const hasPassword = !isNew || values.type !== 'login_password' || values.password !== '';
  const type = isNew ? values.type : item?.type;
  return (
    <>
      <ObjectSelect
        label={t('access.against')}
        help={t(type === 'ssh' ? 'access.againstOptional' : 'access.againstNeeded')}
        placeholder={t('templateForm.chooseRepository')}
        icon="repository"
        items={repositories}
        isOptional
        value={repository}
        onChange={setRepository}
      />
      <AccessTest
        key={JSON.stringify(isNew ? body : repository_id)}
        isReady={hasSecret && hasPassword && (type === 'ssh' || repository_id !== null)}
        isKeyAlone={repository_id === null}
        ask={() =>
          item && !isNew
            ? call('testKey', { params: { ...params, key_id: item.id }, body: { repository_id } })
            : call('testNewKey', { params, body })
        }
      />
    </>
  );
};

/** Form of a key. Name and login can be changed, the secret only replaced. */
export const KeyForm = ({ project, item, mayEdit, uses, onClose, onCreated }: ResourceFormProps<Key>) => {
  const { t } = useTranslation();
  const params = { project_id: project };
  const { form, dialog } = useResourceForm<KeyValues>({
    project,
    kind: 'keys',
    initial: newKeyValues(item),
    problems: (values) => keyProblems(values, item),
    send: (values) =>
      item === undefined
        ? call('createKey', { params, body: keyBody(values) })
        : call('updateKey', { params: { ...params, key_id: item.id }, body: keyChange(values, item) }),
    savedText: ({ name }) => t(item ? 'keys.saved' : 'keys.created', { name: name.trim() }),
    onClose,
    onCreated,
  });
  const { type } = form.values;
  const open = maySetSecret(form.values, item);
  // The API hides the login from members who may not change keys: an empty field would suggest a key without a login.
  const showsLogin = mayEdit && type !== 'none' && (open || type === item?.type);
  return (
    <FormDialog
      {...dialog}
      title={mayEdit ? t(item ? 'keys.editTitle' : 'keys.newTitle') : item?.name}
      which={mayEdit ? item?.name : t('keys.title')}
      save={t('keys.save')}
      mayEdit={mayEdit}
    >
      <FieldRow>
        <TextInput
          label={t('form.name')}
          maxLength={255}
          data-autofocus={mayEdit || undefined}
          {...form.getInputProps('name')}
        />
        <Select
          label={t('column.type')}
          data={KEY_TYPES.map(({ type: value, labelKey }) => ({ value, label: t(labelKey) }))}
          allowDeselect={false}
          {...form.getInputProps('type')}
          onChange={(value) => form.setFieldValue('type', (value ?? 'none') as KeyType)}
        />
      </FieldRow>
      {item && item.type !== 'none' ? (
        <Checkbox
          className={css.gap ?? ''}
          label={t('keys.override')}
          description={t('keys.overrideHelp')}
          {...form.getInputProps('override_secret', { type: 'checkbox' })}
        />
      ) : null}
      {showsLogin ? (
        <FieldRow>
          <TextInput
            label={t('keys.login')}
            description={t('keys.loginHelp')}
            autoComplete="off"
            {...form.getInputProps('login')}
          />
          {open && type === 'login_password' ? (
            <PasswordInput label={t('keys.password')} autoComplete="new-password" {...form.getInputProps('password')} />
          ) : null}
          {open && type === 'ssh' ? (
            <PasswordInput
              label={t('keys.passphrase')}
              description={t('keys.passphraseHelp')}
              autoComplete="new-password"
              {...form.getInputProps('passphrase')}
            />
          ) : null}
        </FieldRow>
      ) : null}
      {open && type === 'ssh' ? (
        <Textarea
          label={t('keys.privateKey')}
          description={t('keys.privateKeyHelp')}
          rows={8}
          spellCheck={false}
          classNames={{ input: css.mono ?? '' }}
          {...form.getInputProps('private_key')}
        />
      ) : null}
      {type === 'none' ? <p className={css.none}>{t('keys.noneHelp')}</p> : null}
      {mayEdit ? <KeyTest project={project} item={item} values={form.values} /> : null}
      {uses}
    </FormDialog>
  );
};

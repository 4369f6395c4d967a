import { Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import type { Key, KeyType } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { FieldRow, FormDialog } from '../../ui/form-dialog.tsx';
import { KEY_TYPES, type KeyValues, keyBody, keyProblems, maySetSecret, newKeyValues } from './key-values.ts';
import type { ResourceFormProps } from './resource-page.tsx';
import css from './resources.module.css';
import { useResourceForm } from './use-resource-form.ts';

/** A key: what it is can be changed, what it holds only be replaced. */
export const KeyForm = ({ project, item, mayEdit, onClose }: ResourceFormProps<Key>) => {
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
        : call('updateKey', { params: { ...params, key_id: item.id }, body: keyBody(values) }),
    said: ({ name }) => t(item ? 'keys.saved' : 'keys.created', { name: name.trim() }),
    onClose,
  });
  const { type } = form.values;
  const open = maySetSecret(form.values, item);
  return (
    <FormDialog
      {...dialog}
      title={t(item ? 'keys.editTitle' : 'keys.newTitle')}
      which={item?.name}
      save={t('keys.save')}
      mayEdit={mayEdit}
    >
      <FieldRow>
        <TextInput label={t('form.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
        <Select
          label={t('column.type')}
          data={KEY_TYPES.map(({ type: value, word }) => ({ value, label: t(word) }))}
          allowDeselect={false}
          {...form.getInputProps('type')}
          onChange={(value) => form.setFieldValue('type', (value ?? 'none') as KeyType)}
        />
      </FieldRow>
      {item ? (
        <Checkbox
          className={css.gap ?? ''}
          label={t('keys.override')}
          description={t('keys.overrideHelp')}
          {...form.getInputProps('override_secret', { type: 'checkbox' })}
        />
      ) : null}
      {open && type === 'login_password' ? (
        <FieldRow>
          <TextInput
            label={t('keys.login')}
            description={t('keys.loginHelp')}
            autoComplete="off"
            {...form.getInputProps('login')}
          />
          <PasswordInput label={t('keys.password')} autoComplete="new-password" {...form.getInputProps('password')} />
        </FieldRow>
      ) : null}
      {open && type === 'ssh' ? (
        <>
          <FieldRow>
            <TextInput
              label={t('keys.login')}
              description={t('keys.loginHelp')}
              autoComplete="off"
              {...form.getInputProps('login')}
            />
            <PasswordInput
              label={t('keys.passphrase')}
              description={t('keys.passphraseHelp')}
              autoComplete="new-password"
              {...form.getInputProps('passphrase')}
            />
          </FieldRow>
          <Textarea
            label={t('keys.privateKey')}
            description={t('keys.privateKeyHelp')}
            rows={8}
            spellCheck={false}
            classNames={{ input: css.mono ?? '' }}
            {...form.getInputProps('private_key')}
          />
        </>
      ) : null}
      {open && type === 'none' ? <p className={css.none}>{t('keys.noneHelp')}</p> : null}
    </FormDialog>
  );
};

import { Checkbox, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { errorOfList } from '../../../ui/forms/error-of-list.ts';
import css from './template-form.module.css';
import type { TemplateValues } from './template-values.ts';

interface Props {
  form: UseFormReturnType<TemplateValues>;
  /** Whether runs of the app have hosts. */
  hasHosts: boolean;
}

/** The locks of a template: names, and the hosts of its runs. */
export const LockFields = ({ form, hasHosts }: Props) => {
  const { t } = useTranslation();
  return (
    <>
      <TagsInput
        label={t('templateForm.locks')}
        description={t('templateForm.locksHelp', { example: 'db-{{ env }}' })}
        {...form.getInputProps('locks')}
        error={errorOfList(form.errors, 'locks')}
      />
      {hasHosts && (
        <Checkbox
          className={css.gap ?? ''}
          label={t('templateForm.lockHosts')}
          description={t('templateForm.lockHostsHelp')}
          {...form.getInputProps('lock_hosts', { type: 'checkbox' })}
        />
      )}
    </>
  );
};

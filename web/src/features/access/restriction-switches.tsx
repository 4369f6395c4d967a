import { Switch } from '@mantine/core';
import type { Template, View } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { Bar } from '../../ui/page/page.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './access.module.css';

interface RestrictionSwitchesProps {
  template: Template;
  /** The view of the template. */
  view: View | undefined;
}

/** Restricts a template, or all templates of its view, to owners and those with a grant. */
export const RestrictionSwitches = ({ template, view }: RestrictionSwitchesProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { project_id } = template;
  const options = {
    onError: (error: Error) => showToast('error', errorText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: queryKey.project(project_id) }),
  };
  const restrict = useMutation({
    mutationFn: (restricted: boolean) =>
      call('updateTemplate', { params: { project_id, template_id: template.id }, body: { restricted } }),
    ...options,
  });
  const restrictView = useMutation({
    mutationFn: (restricted: boolean) =>
      call('updateView', { params: { project_id, view_id: view?.id ?? 0 }, body: { restricted } }),
    ...options,
  });
  return (
    <Bar>
      <Switch
        label={t('grants.restricted')}
        classNames={{ description: css.switchHelp ?? '' }}
        description={t('grants.restrictedHelp')}
        checked={restrict.isPending ? restrict.variables : template.restricted}
        disabled={restrict.isPending}
        onChange={({ currentTarget: { checked } }) => restrict.mutate(checked)}
      />
      {view ? (
        <Switch
          label={t('grants.viewRestricted', { view: view.title })}
          classNames={{ description: css.switchHelp ?? '' }}
          description={t('grants.viewRestrictedHelp')}
          checked={restrictView.isPending ? restrictView.variables : view.restricted}
          disabled={restrictView.isPending}
          onChange={({ currentTarget: { checked } }) => restrictView.mutate(checked)}
        />
      ) : null}
    </Bar>
  );
};

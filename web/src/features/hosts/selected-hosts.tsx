import { MAX_LIMIT } from 'virtual:routes';
import type { Template } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { type HostListFilter, readMatchingHosts } from '../../api/host-list.ts';
import { numberText } from '../../lang/locale.ts';
import { Button } from '../../ui/basics/button.tsx';
import { SelectionBar } from '../../ui/lists/selection-bar.tsx';
import { limitOf } from '../../ui/tasks/limit-of.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import { RunOnHost } from './host/run-on-host.tsx';
import css from './hosts.module.css';
import type { HostSelection } from './use-host-selection.ts';

interface SelectedHostsProps {
  project: number;
  filter: HostListFilter;
  /** Number of hosts that match the filter. */
  total: number;
  selection: HostSelection;
  /** Templates that the user may run and that take any limit. */
  templates: readonly Template[];
}

/** The bar that selects all matching hosts, and starts a template on the selected ones. */
export const SelectedHosts = ({ project, filter, total, selection, templates }: SelectedHostsProps) => {
  const { t } = useTranslation();
  const all = useMutation({
    mutationFn: () => readMatchingHosts(project, filter, MAX_LIMIT),
    onSuccess: ({ hosts, isCut }) => {
      selection.choose(hosts);
      if (isCut)
        showToast(
          'ok',
          t('hosts.firstSelected', {
            count: hosts.length,
            number: numberText(hosts.length),
            most: numberText(MAX_LIMIT),
          }),
        );
    },
    onError: (error) => showToast('error', errorText(error)),
  });
  const selected = selection.ids.length;
  const count = selection.names.length;
  // Hosts stay selected when the filter changes, so as many selected ones may be others.
  const isExact = selected === total && selection.isAll;
  const limit = limitOf(selection.names);
  return (
    <SelectionBar selection={selection}>
      {isExact ? null : (
        <Button small busy={all.isPending} onClick={() => all.mutate()}>
          {t('hosts.selectMatching', { count: total, number: numberText(total) })}
        </Button>
      )}
      {limit === undefined ? (
        <span role="alert" className={css.tooMany}>
          {t('hosts.tooMany', { most: numberText(MAX_LIMIT) })}
        </span>
      ) : count === 0 ? null : (
        <RunOnHost limit={limit} label={t('host.runOn', { count, number: numberText(count) })} templates={templates} />
      )}
      {count === selected ? null : (
        <span className="muted">
          {t('hosts.vanishedLeftOut', { count: selected - count, number: numberText(selected - count) })}
        </span>
      )}
    </SelectionBar>
  );
};

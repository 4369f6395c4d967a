import type { FailureCluster } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import table from '../../../ui/lists/table.module.css';
import css from './clusters.module.css';

/** The forms of the message of a cluster. Parts that are not the same on all hosts are highlighted. */
export const ClusterMessage = ({ cluster: { messages } }: { cluster: FailureCluster }) => {
  const { t } = useTranslation();
  return messages.map(({ hosts, segments }, form) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: forms and their parts have no identity but their order
    <p key={form} className={css.message}>
      {segments.map(({ text, differs }, at) =>
        differs ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <mark key={at}>{text}</mark>
        ) : (
          text
        ),
      )}
      {messages.length > 1 ? <small>{t('cluster.hosts', { count: hosts, number: numberText(hosts) })}</small> : null}
    </p>
  ));
};

type Group = FailureCluster['groups'][number];

/** Whether the messages of the hosts of a group differ only by the names of these hosts. */
const namesOnly = ({ first_host: first, hosts, values }: Group): boolean =>
  values.every(({ values: found, more }) => found.includes(first) && found.length + more === hosts);

/** Which hosts have which values, where the messages of a cluster differ by more than the name of the host. */
export const ClusterDifferences = ({ cluster: { groups: all } }: { cluster: FailureCluster }) => {
  const { t } = useTranslation();
  const groups = all.filter((group) => !namesOnly(group));
  const columns = groups[0]?.values.length ?? 0;
  if (all.length < 2 || columns === 0) return null;
  return (
    <table className={`${table.table} ${css.differences}`} aria-label={t('cluster.differences')}>
      <thead>
        <tr>
          <th scope="col">{t('cluster.differences')}</th>
          <th scope="col" colSpan={columns}>
            {t('cluster.values')}
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ first_host, hosts, values }) => (
          <tr key={first_host}>
            <th scope="row">
              <code>{first_host}</code>
              {hosts > 1 ? ` ${t('host.more', { count: hosts - 1 })}` : null}
            </th>
            {values.map((value, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns are the parts of the message in order
              <td key={at}>
                <code>{value.values.join(', ')}</code>
                {value.more > 0 ? ` ${t('since.more', { count: value.more })}` : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

import type { InventoryHosts, TemplateHost } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { TextButton } from '../../../ui/basics/text-button.tsx';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { showToast } from '../../../ui/toast/toast-store.ts';
import css from './host-picker.module.css';
import { troubleFirst } from './host-presets.ts';

/** Maximum number of hosts that are listed. */
const SHOWN = 18;

const ICONS = {
  ok: { colour: 'ok', shape: 'check' },
  failed: { colour: 'error', shape: 'cross' },
  unreachable: { colour: 'error', shape: 'dashed' },
} as const;

interface MatchingHostsProps {
  inventory: InventoryHosts;
  /** Undefined if only Ansible understands the pattern. */
  matching: readonly string[] | undefined;
  results: ReadonlyMap<string, TemplateHost['result']>;
}

/** The hosts that the pattern selects, those with trouble in their newest run first. */
export const MatchingHosts = ({ inventory, matching, results }: MatchingHostsProps) => {
  const { t } = useTranslation();
  if (matching === undefined) return <p className={css.note}>{t('launch.patternUnknown')}</p>;
  const hosts = troubleFirst(matching, results).slice(0, SHOWN);
  const more = matching.length - hosts.length;
  const copy = () =>
    navigator.clipboard
      .writeText(matching.join('\n'))
      .then(() => showToast('ok', t('launch.copied', { count: matching.length, number: numberText(matching.length) })));
  return (
    <div className={css.matching}>
      <div className={css.heading}>
        <b>
          {t('launch.match', {
            count: inventory.hosts.length,
            all: numberText(inventory.hosts.length),
            matching: numberText(matching.length),
          })}
        </b>
        {results.size > 0 ? <small>{t('launch.troubleFirst')}</small> : null}
        <span className="grow" />
        {matching.length > 0 ? <TextButton onClick={() => void copy()}>{t('launch.copy')}</TextButton> : null}
      </div>
      <ul className={css.hosts}>
        {hosts.map((host) => {
          const result = results.get(host);
          return (
            <li key={host}>
              <StatusIcon {...(result ? ICONS[result] : { colour: 'wait', shape: 'dashed' })} size={12} />
              <span className="cut" title={host}>
                {host}
              </span>
              {result && result !== 'ok' ? (
                <span className="sr">{result === 'failed' ? t('launch.failed') : t('launch.unreachable')}</span>
              ) : null}
            </li>
          );
        })}
      </ul>
      {more > 0 ? (
        <p className={css.note}>{t('newTask.moreHosts', { count: more, number: numberText(more) })}</p>
      ) : null}
    </div>
  );
};

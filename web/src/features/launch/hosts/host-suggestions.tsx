import type { InventoryHosts } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { Icon } from '../../../ui/basics/icon.tsx';
import { TextButton } from '../../../ui/basics/text-button.tsx';
import css from './host-picker.module.css';
import type { LaunchHosts } from './use-hosts.ts';

export interface Suggestion {
  readonly name: string;
  /** Number of hosts of a group; undefined for a host. */
  readonly hosts: number | undefined;
}

/** Maximum numbers of suggested groups and hosts. */
const GROUPS = 6;
const HOSTS = 6;

const findNames = <One,>(all: readonly One[], most: number, isMatch: (one: One) => boolean): One[] => {
  const found: One[] = [];
  for (const one of all) {
    if (found.length === most) break;
    if (isMatch(one)) found.push(one);
  }
  return found;
};

/** Groups and hosts whose name contains a text. */
export const suggestionsOf = ({ hosts, groups }: InventoryHosts, text: string): Suggestion[] => {
  const wanted = text.toLowerCase();
  return [
    ...findNames(groups, GROUPS, ({ name }) => name.toLowerCase().includes(wanted)).map((group) => ({
      name: group.name,
      hosts: group.hosts.length,
    })),
    ...findNames(hosts, HOSTS, (name) => name.toLowerCase().includes(wanted)).map((name) => ({
      name,
      hosts: undefined,
    })),
  ];
};

interface HostSuggestionsProps {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  search: string;
  hosts: LaunchHosts;
  onChoose: (name: string) => void;
}

/** The groups and hosts that match what the user typed. */
export const HostSuggestions = ({ id, suggestions, active, search, hosts, onChoose }: HostSuggestionsProps) => {
  const { t } = useTranslation();
  return (
    <div className={css.suggestions}>
      {hosts.isBusy ? <p className={css.note}>{t('launch.readingHosts')}</p> : null}
      {hosts.failure ? (
        <p className={css.note}>
          {t('launch.hostsUnknown', { reason: hosts.failure })}{' '}
          <TextButton onClick={hosts.retry}>{t('action.retry')}</TextButton>
        </p>
      ) : null}
      {hosts.inventory && suggestions.length === 0 ? (
        <p className={css.note}>{t('launch.addPattern', { text: search })}</p>
      ) : null}
      <div role="listbox" id={`${id}-list`} aria-label={t('launch.suggestions')} tabIndex={-1}>
        {suggestions.map(({ name, hosts: count }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of its list
          <div
            key={`${count === undefined ? 'host' : 'group'} ${name}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={css.suggestion}
            // A click must not take the focus from the input.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(name)}
          >
            <Icon name={count === undefined ? 'runner' : 'inventory'} />
            <span className="cut">{name}</span>
            {count === undefined ? null : <small>{t('launch.hostCount', { count, number: numberText(count) })}</small>}
          </div>
        ))}
      </div>
      <p className={css.keys}>{t('launch.keys', { not: '!', only: '&' })}</p>
    </div>
  );
};

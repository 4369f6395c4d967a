import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { numberText } from '../../../lang/locale.ts';
import { IconButton } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import css from './log.module.css';
import type { LogSearchView } from './use-log-search.ts';

const Hits = ({ view: { state, position } }: { view: LogSearchView }) => {
  const { t } = useTranslation();
  if (state.text === '') return null;
  if (state.error !== undefined) return <span className={css.findError}>{errorText(state.error)}</span>;
  const found =
    position === undefined
      ? t('log.hits', { count: state.count, number: numberText(state.count) })
      : t('log.hitOf', { position: numberText(position), number: numberText(state.count) });
  if (!state.isBusy) return state.count === 0 ? t('log.noHit') : found;
  const percent = state.total === 0 ? 0 : Math.floor((state.searched / state.total) * 100);
  return `${found} · ${t('log.searched', { percent })}`;
};

export interface LogSearchBarProps {
  view: LogSearchView;
  onClose: () => void;
}

/** Search bar of the log: Enter goes to the next match, Shift-Enter to the previous one, Esc closes it. */
export const LogSearchBar = ({ view, onClose }: LogSearchBarProps) => {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const none = view.state.count === 0;
  // Esc closes the search, not the dialog around it.
  const own = { 'data-mantine-stop-propagation': 'true' };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && event.target === input.current) view.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className={css.find} onKeyDown={onKeyDown} aria-label={t('log.search')}>
      <TextInput
        {...own}
        ref={input}
        className={css.findInput ?? ''}
        type="search"
        aria-label={t('log.find')}
        placeholder={t('log.find')}
        leftSection={<Icon name="search" />}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        value={view.typed}
        onChange={(event) => view.setTyped(event.currentTarget.value)}
      />
      <span className={css.hits} role="status">
        <Hits view={view} />
      </span>
      <IconButton
        {...own}
        icon="up"
        label={t('log.previousHit')}
        keys="Shift F3"
        disabled={none}
        onClick={() => view.step(-1)}
      />
      <IconButton
        {...own}
        icon="down"
        label={t('log.nextHit')}
        keys="F3"
        disabled={none}
        onClick={() => view.step(1)}
      />
      <IconButton {...own} icon="close" label={t('log.endSearch')} keys="Esc" onClick={onClose} />
    </search>
  );
};

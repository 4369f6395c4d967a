import type { InventoryHosts, TemplateHost } from '@signalbox/contract';
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listText, numberText } from '../../../lang/locale.ts';
import { IconButton } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { FieldError } from '../../../ui/forms/field-error.tsx';
import { readPattern, readTerm, type Term, typedTerms, unknownTerms, writePattern } from './host-pattern.ts';
import css from './host-picker.module.css';
import { HostSuggestions, suggestionsOf } from './host-suggestions.tsx';
import { MatchingHosts } from './matching-hosts.tsx';
import { PresetBar } from './preset-bar.tsx';
import type { LaunchHosts } from './use-hosts.ts';

export interface HostPickerProps {
  hosts: LaunchHosts;
  /** The host pattern. */
  value: string;
  onChange: (pattern: string) => void;
  /** The version that will run. */
  version: string | undefined;
  error?: React.ReactNode;
  autoFocus?: boolean;
  /** Default: the name of the limit of a task. */
  label?: string;
  /** Whether it offers the hosts of earlier runs. Default: true. */
  hasPresets?: boolean;
}

const NO_HOSTS: InventoryHosts = { hosts: [], groups: [] };

/** Maximum number of unknown hosts that are named. */
const MAX_NAMED = 5;

/** Chooses hosts by groups, names and patterns, with the matching hosts next to them. */
export const HostPicker = (props: HostPickerProps) => {
  const { hosts, value, onChange, version, error, autoFocus = false, hasPresets = true } = props;
  const { t } = useTranslation();
  const { label = t('newTask.limit') } = props;
  const id = useId();
  const picker = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState(0);
  const inventory = hosts.inventory ?? NO_HOSTS;
  const terms = useMemo(() => readPattern(value), [value]);
  const { matching, typed, onTyped: setTyped } = hosts;
  const { kind, text } = readTerm(typed.trim());
  const search = useDeferredValue(text);
  const suggestions = useMemo(() => suggestionsOf(inventory, search), [inventory, search]);
  const results = useMemo(
    () => new Map<string, TemplateHost['result']>(hosts.runs?.hosts.map((run) => [run.host, run.result])),
    [hosts.runs],
  );
  const unknown = useMemo(
    () => (hosts.inventory ? unknownTerms(hosts.inventory, terms) : []),
    [hosts.inventory, terms],
  );
  const more = unknown.length - MAX_NAMED;
  const names = listText([
    ...unknown.slice(0, MAX_NAMED),
    ...(more > 0 ? [t('newTask.others', { count: more, number: numberText(more) })] : []),
  ]);
  const unknownText = unknown.length > 0 ? t('launch.unknownHosts', { count: unknown.length, names }) : '';
  const append = (added: readonly Term[]) => {
    onChange(writePattern([...terms, ...added]));
    setTyped('');
    setActive(0);
  };
  const add = (added: readonly Term[]) => {
    append(added);
    input.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // The shown suggestions may be those of an earlier text.
    const current = search === text ? suggestions : suggestionsOf(inventory, text);
    const isExact = active === 0 && current.some(({ name }) => name === text);
    const chosen = isExact ? text : current[active]?.name;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + suggestions.length) % Math.max(1, suggestions.length));
    } else if (event.key === 'Enter' && text !== '') {
      // Enter would submit the form.
      event.preventDefault();
      add(chosen ? [{ kind, text: chosen }] : typedTerms(inventory, typed));
    } else if (event.key === 'Backspace' && typed === '' && terms.length > 0) {
      onChange(writePattern(terms.slice(0, -1)));
    } else if (event.key === 'Escape' && typed !== '') {
      event.preventDefault();
      event.stopPropagation();
      setTyped('');
    }
  };
  const paste = (pasted: string) => {
    if (!/[\s,;]/.test(pasted.trim())) return false;
    // After a sign the list begins a new name; otherwise it continues the typed one.
    add(typedTerms(inventory, `${typed}${text === '' ? ' ' : ''}${pasted}`));
    return true;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: sees the focus leave the elements within
    <div
      data-flush
      ref={picker}
      onBlur={({ relatedTarget }) => {
        // What was typed counts, also if the user leaves the picker without Enter.
        if (text !== '' && !picker.current?.contains(relatedTarget)) append(typedTerms(inventory, typed));
      }}
    >
      <div className={css.query}>
        <Icon name="search" />
        {terms.map((term, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pattern may contain the same term twice
          <span className={css.term} key={index} data-unknown={unknown.includes(term.text) || undefined}>
            {term.kind === 'or' ? (
              index > 0 && <small>{t('launch.or')}</small>
            ) : (
              <small>{term.kind === 'and' ? t('launch.onlyIn') : t('launch.not')}</small>
            )}
            <span>{term.text}</span>
            <IconButton
              icon="close"
              label={t('launch.removeTerm', { term: term.text })}
              onClick={() => onChange(writePattern(terms.filter((_, other) => other !== index)))}
            />
          </span>
        ))}
        <input
          ref={input}
          className={css.input}
          value={typed}
          placeholder={terms.length === 0 ? t('launch.findHosts') : undefined}
          aria-label={label}
          role="combobox"
          aria-expanded={suggestions.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={suggestions.length > 0 ? `${id}-${active}` : undefined}
          aria-invalid={error ? true : undefined}
          data-path="limit"
          data-autofocus={autoFocus || undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={press}
          onPaste={(event) => {
            if (paste(event.clipboardData.getData('text'))) event.preventDefault();
          }}
        />
        <span className={css.pattern}>{value}</span>
      </div>
      {error ? (
        <div className={css.error}>
          <FieldError>{error}</FieldError>
        </div>
      ) : null}
      {unknownText ? <p className={css.unknown}>{unknownText}</p> : null}
      <div className={css.panes}>
        <HostSuggestions
          id={id}
          suggestions={suggestions}
          active={active}
          search={search}
          hosts={hosts}
          onChoose={(name) => add([{ kind, text: name }])}
        />
        {hosts.inventory ? <MatchingHosts inventory={hosts.inventory} matching={matching} results={results} /> : null}
      </div>
      {hasPresets ? (
        <PresetBar inventory={hosts.inventory} runs={hosts.runs} version={version} onChange={onChange} />
      ) : null}
      <p className="sr" aria-live="polite">
        {matching ? t('launch.matching', { count: matching.length, number: numberText(matching.length) }) : ''}{' '}
        {unknownText}
      </p>
    </div>
  );
};

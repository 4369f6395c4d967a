import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { type DiffLine, diffCounts, diffLines } from '../../../ui/tasks/diff-text.ts';
import type { HostOutcome } from '../results/run-model.ts';
import css from './result-panel.module.css';
import type { ResultText } from './result-text.ts';

const TABS = ['result', 'stderr', 'items', 'diff'] as const;
type Tab = (typeof TABS)[number];

const LABELS: Readonly<Record<Exclude<Tab, 'stderr'>, string>> = {
  result: 'host.result',
  items: 'matrix.items',
  diff: 'matrix.diff',
};

const ShownLine = ({ line: { kind, text } }: { line: DiffLine }) => {
  const style = kind === 'added' ? css.added : kind === 'removed' ? css.removed : undefined;
  return <span className={style}>{`${text}\n`}</span>;
};

const Items = ({ outcome, text }: { outcome: HostOutcome; text: ResultText }) => {
  const { t } = useTranslation();
  const { items } = outcome;
  const shown = text.items.length > 0 ? text.items : (items?.names ?? []).map((name) => ({ name, result: 'failed' }));
  return (
    <>
      {items ? (
        <p className={css.counts}>
          {t('matrix.itemCounts', {
            ok: items.ok,
            changed: items.changed,
            failed: items.failed,
            skipped: items.skipped,
          })}
        </p>
      ) : null}
      <ul className={css.items}>
        {shown.map(({ name, result }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items of a loop can have the same name
          <li key={`${name} ${at}`} className={result === 'failed' ? css.bad : undefined}>
            <code>{name}</code> {t(RESULTS[result] ?? 'host.ok')}
          </li>
        ))}
      </ul>
    </>
  );
};

const RESULTS: Readonly<Record<string, string>> = {
  failed: 'host.failed',
  changed: 'host.changed',
  skipping: 'host.skipped',
  ok: 'host.ok',
};

/** The parts of a result: only those that it has. */
export const ResultTabs = ({ outcome, text }: { outcome: HostOutcome; text: ResultText }) => {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Tab>('result');
  const { items } = outcome;
  const changed = diffCounts(text.diff);
  const counts: Readonly<Record<Tab, number | undefined>> = {
    result: undefined,
    stderr: undefined,
    items: items ? items.ok + items.changed + items.failed + items.skipped : text.items.length,
    diff: changed.added + changed.removed,
  };
  const result = outcome.message || text.stdout;
  const there: Readonly<Record<Tab, boolean>> = {
    result: result !== '',
    stderr: text.stderr !== '',
    items: (counts.items ?? 0) > 0,
    diff: text.diff.length > 0,
  };
  const tabs = TABS.filter((tab) => there[tab]);
  const tab = there[chosen] ? chosen : tabs[0];
  if (tab === undefined) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const to = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    if (step === 0 || to === undefined) return;
    event.preventDefault();
    setChosen(to);
    event.currentTarget.querySelector<HTMLElement>(`[data-part="${to}"]`)?.focus();
  };
  return (
    <>
      <div role="tablist" className={css.tabs} aria-label={t('matrix.parts')} onKeyDown={onKeyDown}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`result-tab-${one}`}
            data-part={one}
            aria-selected={one === tab}
            aria-controls="result-part"
            tabIndex={one === tab ? 0 : -1}
            onClick={() => setChosen(one)}
          >
            {one === 'stderr' ? <code>{one}</code> : t(LABELS[one])}{' '}
            {counts[one] ? <small>{numberText(counts[one])}</small> : null}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div role="tabpanel" id="result-part" aria-labelledby={`result-tab-${tab}`} className={css.part} tabIndex={0}>
        {tab === 'result' ? <pre className={outcome.message === '' ? '' : css.bad}>{result}</pre> : null}
        {tab === 'stderr' ? <pre className={css.bad}>{text.stderr}</pre> : null}
        {tab === 'items' ? <Items outcome={outcome} text={text} /> : null}
        {tab === 'diff' ? (
          <pre>
            {diffLines(text.diff).map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines can be the same
              <ShownLine key={at} line={line} />
            ))}
          </pre>
        ) : null}
      </div>
    </>
  );
};

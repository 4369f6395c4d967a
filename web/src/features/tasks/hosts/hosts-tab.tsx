import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { FilterInput } from '../../../ui/lists/filter-input.tsx';
import type { HostOutcome, Step } from '../results/run-model.ts';
import { limitOf } from './host-limit.ts';
import css from './hosts.module.css';
import { Legend } from './legend.tsx';
import { LongHosts, type LongHostsProps } from './long-hosts.tsx';
import { beginsPlay, type HostRow, hostRows, namedRows } from './matrix.ts';
import { ResultShape } from './result-cell.tsx';
import { RESULT_LABELS, ResultSide } from './result-side.tsx';
import { RunOnHosts } from './run-on-hosts.tsx';

/** Maximum number of hosts that are drawn; a larger matrix must be filtered. */
const MAX_ROWS = 300;

interface Chosen {
  readonly step: Step;
  readonly outcome: HostOutcome;
}

interface RowProps {
  row: HostRow;
  steps: readonly Step[];
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

const MatrixRow = ({ row, steps, chosen, onChoose }: RowProps) => {
  const { t } = useTranslation();
  return (
    <tr className={row.bad ? css.bad : ''}>
      <th scope="row">{row.host}</th>
      {steps.map((step, at) => {
        const outcome = row.cells.get(step.step);
        return (
          <td key={step.step} className={beginsPlay(steps, at) ? css.first : undefined}>
            {outcome ? (
              <button
                type="button"
                aria-label={t('host.cell', {
                  host: row.host,
                  step: step.name,
                  result: t(RESULT_LABELS[outcome.result]),
                })}
                aria-pressed={chosen?.outcome === outcome}
                title={`${step.name}: ${t(RESULT_LABELS[outcome.result])}`}
                onClick={() => onChoose({ step, outcome })}
              >
                <ResultShape result={outcome.result} />
              </button>
            ) : (
              <span className={css.empty}>
                <ResultShape result="none" />
              </span>
            )}
          </td>
        );
      })}
      <td className={css.num}>{row.counts.ok}</td>
      <td className={css.num}>{row.counts.changed}</td>
      <td className={`${css.num} ${row.counts.failed > 0 ? css.red : ''}`}>{row.counts.failed}</td>
    </tr>
  );
};

type HostsProps = Omit<LongHostsProps, 'version'>;

/** The matrix of hosts and steps, updated live, failed hosts first. A click on a cell opens its result. */
export const HostsTab = (props: HostsProps) => {
  const { long } = props.run;
  return long ? <LongHosts {...props} version={long.results} /> : <ShortHosts {...props} />;
};

const ShortHosts = ({ run, onLine, onRunOn }: HostsProps) => {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Chosen>();
  const [name, setName] = useState('');
  const all = useMemo(() => hostRows(run), [run]);
  const rows = namedRows(all, name);
  if (all.length === 0) return <p className={css.nothing}>{t('host.nothing')}</p>;
  return (
    <div className={css.hosts}>
      <div className={css.left}>
        <Legend>
          <FilterInput label={t('host.find')} value={name} onChange={setName} />
          {name !== '' && onRunOn ? (
            <RunOnHosts
              small
              label={t('host.runOn', { count: rows.length, number: numberText(rows.length) })}
              disabled={rows.length === 0}
              limit={async () => limitOf(rows.map(({ host }) => host))}
              onRun={onRunOn}
            />
          ) : null}
        </Legend>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <section className={css.scroll} tabIndex={0} aria-label={t('task.tabHosts')}>
          <table className={css.matrix}>
            <thead>
              <tr>
                <th scope="col">
                  <span className="sr">{t('host.host')}</span>
                </th>
                {run.steps.map((step, at) => (
                  <th key={step.step} scope="col" className={beginsPlay(run.steps, at) ? css.first : undefined}>
                    <span className={css.slant} title={step.name}>
                      <span>{step.name}</span>
                    </span>
                  </th>
                ))}
                <th scope="col" className={css.num}>
                  {t('host.ok')}
                </th>
                <th scope="col" className={css.num}>
                  {t('host.changed')}
                </th>
                <th scope="col" className={css.num}>
                  {t('host.failed')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MAX_ROWS).map((row) => (
                <MatrixRow key={row.host} row={row} steps={run.steps} chosen={chosen} onChoose={setChosen} />
              ))}
            </tbody>
          </table>
          {rows.length === 0 ? <p className={css.nothing}>{t('host.noMatch')}</p> : null}
          {rows.length > MAX_ROWS ? (
            <p className={css.nothing}>{t('host.more', { count: rows.length - MAX_ROWS })}</p>
          ) : null}
        </section>
      </div>
      {chosen ? <ResultSide {...chosen} onLine={onLine} /> : null}
    </div>
  );
};

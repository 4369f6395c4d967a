import type { LogDifference, LogPart } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { DialogLink } from '../../../ui/basics/links.tsx';
import css from './compared-log.module.css';

/** Ids of the tasks that are compared. */
export interface Compared {
  readonly earlier: number;
  readonly later: number;
}

const SIGNS = { earlier: '-', later: '+', both: ' ' } as const;

/** A line, with a link to it in its log. Lines that differ only in hosts, times and numbers are one line with their count. */
const Line = ({ line, tasks }: { line: LogDifference; tasks: Compared }) => {
  const { t } = useTranslation();
  const id = line.of === 'earlier' ? tasks.earlier : tasks.later;
  return (
    <>
      {line.skipped > 0 ? (
        <li className={css.skipped}>
          {t('compareLog.skipped', { count: line.skipped, number: numberText(line.skipped) })}
        </li>
      ) : null}
      <li className={css[line.of]}>
        <DialogLink
          className={css.number}
          search={{ t: id, tab: 'log', line: line.line, with: undefined }}
          aria-label={t('summary.openLog', { line: line.line })}
        >
          {line.line}
        </DialogLink>
        <span className={css.text}>
          {SIGNS[line.of]} {line.text}
        </span>
        {line.of === 'both' ? null : <span className="sr"> {t('compare.onlyIn', { id })}</span>}
        {line.count > 1 ? <small>× {numberText(line.count)}</small> : null}
      </li>
    </>
  );
};

/** The lines of one step in which two logs differ. */
export const ComparedLogPart = ({ part, tasks }: { part: LogPart; tasks: Compared }) => {
  const { t } = useTranslation();
  const { play, lines, more, complete } = part;
  const name = part.part === 'step' ? part.name : t(part.part === 'start' ? 'compareLog.start' : 'compareLog.end');
  return (
    <section aria-label={name}>
      <h3 title={play}>{name}</h3>
      <ol className={css.lines}>
        {lines.map((line) => (
          <Line key={`${line.of} ${line.line}`} line={line} tasks={tasks} />
        ))}
      </ol>
      {more > 0 ? <p className="muted">{t('compareLog.more', { count: more, number: numberText(more) })}</p> : null}
      {complete ? null : <p className="muted">{t('compareLog.cut')}</p>}
    </section>
  );
};

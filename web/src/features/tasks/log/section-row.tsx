import { memo } from 'react';
import { translate } from '../../../lang/translate.ts';
import { Icon } from '../../../ui/basics/icon.tsx';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { useNow } from '../../../ui/time/clock.ts';
import { durationText } from '../../../ui/time/time.ts';
import type { SectionStyle } from '../results/run-model.ts';
import copyCss from './copy-section.module.css';
import css from './log.module.css';
import type { Section } from './log-layout.ts';
import { LineNumber, type OnLine } from './log-row.tsx';

/** Values in the header of a play or a step. */
export interface SectionView extends Section, SectionStyle {
  readonly name: string;
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number | undefined;
}

const Ticking = ({ start }: { start: number }) => durationText(useNow() - start);

export interface SectionRowProps {
  section: SectionView;
  folded: boolean;
  onFold: (id: string) => void;
  /** Copies its lines. */
  onCopy: (id: string) => void;
  onLine: OnLine;
  chosen: boolean;
  /** Whether it is the current match of the search. */
  isAt: boolean;
}

/** The header of a play or a step, which replaces its first line. A click folds or unfolds its lines. */
export const SectionRow = memo(({ section, folded, onFold, onCopy, onLine, chosen, isAt }: SectionRowProps) => {
  const { kind, line, name, summary, colour, shape, start, end, id } = section;
  return (
    <div className={`${css.section} ${css[kind]} ${chosen ? css.chosen : ''} ${isAt ? css.at : ''}`} data-line={line}>
      <LineNumber number={line} onLine={onLine} />
      <button type="button" className={css.fold} aria-expanded={!folded} onClick={() => onFold(id)}>
        <Icon name={folded ? 'next' : 'down'} />
        <StatusIcon colour={colour} shape={shape} size={14} />
        <span className={css.sectionName} title={name}>
          {name}
        </span>
        <span className={css.summary}>{summary}</span>
        <span className={css.duration}>
          {end === undefined && colour === 'active' ? (
            <Ticking start={start} />
          ) : end === undefined ? (
            ''
          ) : (
            durationText(end - start)
          )}
        </span>
      </button>
      <button
        type="button"
        className={copyCss.copy}
        data-tooltip={translate('log.copySection')}
        aria-label={translate('log.copySectionOf', { name })}
        onClick={() => onCopy(id)}
      >
        <Icon name="copy" />
      </button>
    </div>
  );
});

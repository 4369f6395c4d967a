import type { Event } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import css from './first-run-steps.module.css';

/** Maximum number of objects that a step names. */
const MAX_NAMES = 3;

export interface NamedObject {
  readonly id: number;
  readonly name: string;
}

export interface FirstRunStepProps {
  number: number;
  title: string;
  /** What the step adds; shown until it is done. */
  text: string;
  /** The objects that the step has added, and the link to each. */
  items?: readonly NamedObject[];
  link?: (item: NamedObject) => ReactNode;
  /** The page with all of them. */
  more?: (text: string) => ReactNode;
  /** The events in which objects of this kind were created. */
  created?: readonly Event[] | undefined;
  isNext: boolean;
  children?: ReactNode;
}

/** One step to the first run: done with its objects, or what it adds. */
export const FirstRunStep = ({
  number,
  title,
  text,
  items = [],
  link = () => null,
  more = () => null,
  created = [],
  isNext,
  children,
}: FirstRunStepProps) => {
  const { t } = useTranslation();
  const isDone = items.length > 0;
  return (
    <li className={isDone ? css.done : isNext ? css.next : ''} aria-current={isNext ? 'step' : undefined}>
      {isDone ? (
        <span className={css.marker} role="img" aria-label={t('firstRun.done')}>
          <StatusIcon colour="ok" shape="check" size={24} />
        </span>
      ) : (
        <span className={css.marker} aria-hidden="true">
          {number}
        </span>
      )}
      <h3>{title}</h3>
      {isDone ? (
        items.slice(0, MAX_NAMES).map((item) => {
          const event = created.find(({ object_id }) => object_id === item.id);
          return (
            <p key={item.id}>
              {link(item)}
              {event ? (
                <>
                  {t('separator.comma')}
                  {event.username === '' ? null : t('firstRun.addedBy', { name: event.username })}{' '}
                  <Ago at={event.created} />
                </>
              ) : null}
            </p>
          );
        })
      ) : (
        <p>{text}</p>
      )}
      {items.length > MAX_NAMES ? <p>{more(`+${items.length - MAX_NAMES}`)}</p> : null}
      {children}
    </li>
  );
};

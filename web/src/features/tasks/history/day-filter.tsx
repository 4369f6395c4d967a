import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazySelect } from '../../../ui/forms/lazy-select.tsx';
import { localDay } from '../../../ui/time/local-moment.ts';
import { type DaySpan, startOfLast } from './day-span.ts';
import css from './history.module.css';

/** Numbers of days that the list offers. */
const PRESETS = [1, 7, 30];
/** The days that the two inputs show first. */
const FIRST_DAYS = 7;

const NO_DAYS: DaySpan = { days: undefined, from: undefined, to: undefined };

interface DayInputProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** An input for a day. While its year is typed, it has the years 2, 20 and 202, which are not applied. */
const DayInput = ({ label, value = '', onChange }: DayInputProps) => {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  if (applied !== value) {
    setApplied(value);
    setTyped(value);
  }
  return (
    <div className={css.day}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="date"
        value={typed}
        onChange={({ currentTarget: { value: day } }) => {
          setTyped(day);
          if (day === '') onChange(undefined);
          else if (/^[12]\d{3}-/.test(day)) onChange(day);
        }}
      />
    </div>
  );
};

interface DayFilterProps {
  span: DaySpan;
  onChange: (span: DaySpan) => void;
}

/** Filter by the days on which tasks were created: the last days, or a first and a last day. */
export const DayFilter = ({ span: { days, from, to }, onChange }: DayFilterProps) => {
  const { t } = useTranslation();
  const isChosen = from !== undefined || to !== undefined;
  const choose = (value: string) => {
    const now = new Date();
    if (value === 'any') onChange(NO_DAYS);
    else if (value === 'dates')
      onChange({ days: undefined, from: localDay(startOfLast(FIRST_DAYS, now)), to: localDay(now) });
    else onChange({ ...NO_DAYS, days: Number(value) });
  };
  const presets = days === undefined || PRESETS.includes(days) ? PRESETS : [...PRESETS, days];
  return (
    <>
      <LazySelect
        className={css.filter ?? ''}
        label={t('history.created')}
        items={[
          { value: 'any', label: t('history.anyTime') },
          ...presets.map((count) => ({
            value: String(count),
            label: count === 1 ? t('history.today') : t('history.lastDays', { count }),
          })),
          { value: 'dates', label: t('history.dates') },
        ]}
        value={isChosen ? 'dates' : String(days ?? 'any')}
        onChange={choose}
      />
      {isChosen ? (
        <>
          <DayInput label={t('history.from')} value={from} onChange={(day) => onChange({ days, from: day, to })} />
          <DayInput label={t('history.to')} value={to} onChange={(day) => onChange({ days, from, to: day })} />
        </>
      ) : null}
    </>
  );
};

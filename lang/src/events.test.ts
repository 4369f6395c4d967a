import {
  EVENT_KINDS,
  EVENT_PARAMS,
  EVENT_PART_PARAMS,
  type EventKind,
  type EventPart,
  Language,
  type Param,
} from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { flatten, PLURAL } from '../../testing/catalogue-errors.ts';
import { END_REASONS, ERRORS, EVENTS } from './catalogues.ts';
import { eventMessage } from './events.ts';
import { textsIn } from './message-text.ts';

const SAMPLES: Readonly<Record<string, (name: string, number: number) => Param>> = {
  text: (name) => `<${name}>`,
  number: (_name, number) => number,
  role: () => ({ code: 'role.owner' }),
  reason: () => ({ code: 'reason.text', params: { text: '<reason>' } }),
};

/** An event of a kind with all parameters that must be there. */
const sampleOf = (kind: EventKind, number: number) => {
  const required = Object.entries(EVENT_PARAMS[kind]).filter(([, type]) => !type.endsWith('?'));
  const params = Object.fromEntries(required.map(([name, type]) => [name, SAMPLES[type]?.(name, number) ?? '']));
  return { kind, params };
};

/** Nouns that `eventMessage` puts into the texts of the retention. */
const NOUNS = ['retention.tasks', 'retention.logs'];

// The server can record only kinds of the table: other kinds, and missing parameters, do not compile.
describe.each(Language.options)('the events in %s', (language) => {
  const catalogue = EVENTS[language];
  const make = textsIn(language, [catalogue, ERRORS[language], END_REASONS[language]]);

  it.each([1, 2, 5, 21, 1234])('have a text for every kind, with all of its parameters, for %s', (number) => {
    for (const kind of EVENT_KINDS) {
      const event = sampleOf(kind, number);
      const text = make(eventMessage(event));
      expect(text, kind).toMatch(/\S/);
      expect(text, kind).not.toContain('{{');
      for (const param of Object.values(event.params)) {
        const value = typeof param === 'object' ? make(param) : String(param);
        expect(text, kind).toContain(value);
      }
    }
  });

  it('events have a text with its parameters for every part, and no others', () => {
    const texts = new Map(flatten(catalogue).map(([key, text]) => [key.replace(PLURAL, ''), text]));
    const parts = Object.entries(EVENT_PART_PARAMS) as [EventPart, readonly string[]][];
    for (const [code, params] of parts)
      expect([...(texts.get(code) ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()).toEqual(
        params.toSorted(),
      );
    const known = [...EVENT_KINDS, ...parts.map(([code]) => code), ...NOUNS];
    expect([...texts.keys()].toSorted()).toEqual(known.toSorted());
    for (const others of [ERRORS, END_REASONS]) expect(known.filter((code) => code in others[language])).toEqual([]);
  });
});

describe('the plural forms of events', () => {
  const read = (language: Language, kind: string, params: Record<string, Param>) =>
    textsIn(language, [EVENTS[language], ERRORS[language], END_REASONS[language]])(eventMessage({ kind, params }));
  const SCHEDULE = { name: 'Nightly', template: 'Web', time: '2026-03-01 03:00', zone: 'UTC' };

  it.each([
    ['en', 1, 2, '1 task and 2 logs removed: older than what is to be kept'],
    ['de', 1, 2, 'Nach Ablauf der Aufbewahrungsfrist entfernt: 1 Aufgabe und 2 Logs'],
    ['ru', 21, 5, 'Удалено по сроку хранения: 21 задача и 5 логов'],
    ['ru', 3, 1, 'Удалено по сроку хранения: 3 задачи и 1 лог'],
    ['zh', 3, 1, '已删除超过保留期限的 3 个任务和 1 个日志'],
    ['fr', 1, 2, 'Supprimés après la durée de conservation\u00a0: 1 tâche et 2 journaux'],
    ['pt', 1, 2, 'Removidos após o prazo de retenção: 1 tarefa e 2 logs'],
  ] as const)('follow each number in %s: %i and %i', (language, tasks, logs, text) => {
    expect(read(language, 'retention.tasks_and_logs_removed', { tasks, logs })).toBe(text);
  });

  it('follow the number of missed due times', () => {
    expect(read('ru', 'schedule.missed_several', { ...SCHEDULE, count: 21 })).toContain('пропустило 21 запуск,');
    expect(read('ru', 'schedule.missed_several', { ...SCHEDULE, count: 22 })).toContain('пропустило 22 запуска,');
    expect(read('ru', 'schedule.missed_several', { ...SCHEDULE, count: 25 })).toContain('пропустило 25 запусков,');
    expect(read('de', 'schedule.missed', SCHEDULE)).toContain('hat 1 Termin verpasst');
  });

  it('follow the language in the reason, which can be an error', () => {
    const params = { ...SCHEDULE, reason: { code: 'conflict.no_build' } };
    expect(read('de', 'schedule.not_started', params)).toMatch(/keine Aufgabe gestartet: .*Build/);
    expect(read('de', 'schedule.not_started', params)).not.toContain('conflict');
  });

  it('have no text for kinds of newer versions', () => {
    expect(read('de', 'newer.kind', {})).toBeUndefined();
  });
});

import type { Event } from '@signalbox/contract';
import { type Catalogue, eventMessage } from '@signalbox/lang';
import { LazyTexts } from './lazy-texts.ts';

const texts = (files: readonly { readonly default: Catalogue }[]): Catalogue[] => files.map((file) => file.default);

/** Event texts. Reasons inside events are errors, and reasons of a runner are end reasons. */
export const eventTexts = new LazyTexts({
  ru: () =>
    Promise.all([
      import('@signalbox/lang/events/ru.json'),
      import('@signalbox/lang/errors/ru.json'),
      import('@signalbox/lang/end-reasons/ru.json'),
    ]).then(texts),
  de: () =>
    Promise.all([
      import('@signalbox/lang/events/de.json'),
      import('@signalbox/lang/errors/de.json'),
      import('@signalbox/lang/end-reasons/de.json'),
    ]).then(texts),
  zh: () =>
    Promise.all([
      import('@signalbox/lang/events/zh.json'),
      import('@signalbox/lang/errors/zh.json'),
      import('@signalbox/lang/end-reasons/zh.json'),
    ]).then(texts),
  fr: () =>
    Promise.all([
      import('@signalbox/lang/events/fr.json'),
      import('@signalbox/lang/errors/fr.json'),
      import('@signalbox/lang/end-reasons/fr.json'),
    ]).then(texts),
  pt: () =>
    Promise.all([
      import('@signalbox/lang/events/pt.json'),
      import('@signalbox/lang/errors/pt.json'),
      import('@signalbox/lang/end-reasons/pt.json'),
    ]).then(texts),
});

/** The text of an event in the language of the console. */
export const eventText = (event: Pick<Event, 'kind' | 'params' | 'description'>): string =>
  eventTexts.text(eventMessage(event), event.description);

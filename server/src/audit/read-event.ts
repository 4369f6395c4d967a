import type { Event, Message, Params } from '@signalbox/contract';
import { eventMessage, textsIn } from '@signalbox/lang';
import { END_REASONS, ERRORS, EVENTS } from '@signalbox/lang/catalogues';

/** Reasons within events are errors, and those of a runner are reasons that end tasks. */
const english = textsIn('en', [EVENTS.en, ERRORS.en, END_REASONS.en]);

/** A stored event as the API answers it. A kind without a text, of a newer version, is described by its name. */
export const readEvent = (kind: string, json: string): Pick<Event, 'kind' | 'params' | 'description'> => {
  const params = JSON.parse(json) as Params;
  return { kind, params, description: english(eventMessage({ kind, params })) ?? kind };
};

/** The English text of the reason of an event. */
export const reasonText = (reason: Message): string => english(reason) ?? reason.code;

import type { Message } from '@signalbox/contract';
import { sentencesIn } from '@signalbox/lang';
import { END_REASONS, ERRORS } from '@signalbox/lang/catalogues';

// A runner that cannot answer a query names the reason as one that would end a task.
const sentence = sentencesIn('en', [ERRORS.en, END_REASONS.en]);

/** The English sentence of an error, of a field or of a part of either; the code itself where no text is known. */
export const english = (message: Message): string => sentence(message) ?? message.code;

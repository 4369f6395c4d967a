import type { Message } from '@signalbox/contract';
import { textsIn } from '@signalbox/lang';
import { END_REASONS, ERRORS } from '@signalbox/lang/catalogues';

// The reason of a refused runner query can be an end reason.
const text = textsIn('en', [ERRORS.en, END_REASONS.en]);

/**
 * Returns the English text of an error, a field error or a part of either; the code itself when the text is unknown.
 */
export const english = (message: Message): string => text(message) ?? message.code;

import type { Message } from '@signalbox/contract';
import { sentencesIn } from '@signalbox/lang';
import { ERRORS } from '@signalbox/lang/catalogues';

const sentence = sentencesIn('en', [ERRORS.en]);

/** The English sentence of an error, of a field or of a part of either; the code itself where no text is known. */
export const english = (message: Message): string => sentence(message) ?? message.code;

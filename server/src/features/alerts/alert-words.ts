import { Language, type Params } from '@signalbox/contract';
import { sentencesIn } from '@signalbox/lang';
import { ALERTS } from '@signalbox/lang/catalogues';

const SENTENCES = new Map(Language.options.map((language) => [language, sentencesIn(language, [ALERTS[language]])]));

/** The text of a key of the alert catalogue in one language; `count` among the values selects the plural form. */
export type Say = (key: string, values?: Params) => string;

export const sayIn =
  (language: Language): Say =>
  (key, values = {}) => {
    const text = SENTENCES.get(language)?.({ code: key, params: values });
    if (text === undefined) throw new Error(`The catalogue ${language} of alerts has no text ${key}.`);
    return text;
  };

import { Language, type Params } from '@signalbox/contract';
import { textsIn } from '@signalbox/lang';
import { ALERTS } from '@signalbox/lang/catalogues';

const TEXTS = new Map(Language.options.map((language) => [language, textsIn(language, [ALERTS[language]])]));

/** Returns the text of a key of the alert catalogue in one language; `count` selects the plural form. */
export type Translate = (key: string, values?: Params) => string;

export const translatorFor =
  (language: Language): Translate =>
  (key, values = {}) => {
    const text = TEXTS.get(language)?.({ code: key, params: values });
    if (text === undefined) throw new Error(`The catalogue ${language} of alerts has no text ${key}.`);
    return text;
  };

import type { Language } from '@signalbox/contract';
import deAlerts from '../alerts/de.json' with { type: 'json' };
import enAlerts from '../alerts/en.json' with { type: 'json' };
import frAlerts from '../alerts/fr.json' with { type: 'json' };
import ptAlerts from '../alerts/pt.json' with { type: 'json' };
import ruAlerts from '../alerts/ru.json' with { type: 'json' };
import zhAlerts from '../alerts/zh.json' with { type: 'json' };
import deEndReasons from '../end-reasons/de.json' with { type: 'json' };
import enEndReasons from '../end-reasons/en.json' with { type: 'json' };
import frEndReasons from '../end-reasons/fr.json' with { type: 'json' };
import ptEndReasons from '../end-reasons/pt.json' with { type: 'json' };
import ruEndReasons from '../end-reasons/ru.json' with { type: 'json' };
import zhEndReasons from '../end-reasons/zh.json' with { type: 'json' };
import deErrors from '../errors/de.json' with { type: 'json' };
import enErrors from '../errors/en.json' with { type: 'json' };
import frErrors from '../errors/fr.json' with { type: 'json' };
import ptErrors from '../errors/pt.json' with { type: 'json' };
import ruErrors from '../errors/ru.json' with { type: 'json' };
import zhErrors from '../errors/zh.json' with { type: 'json' };
import deEvents from '../events/de.json' with { type: 'json' };
import enEvents from '../events/en.json' with { type: 'json' };
import frEvents from '../events/fr.json' with { type: 'json' };
import ptEvents from '../events/pt.json' with { type: 'json' };
import ruEvents from '../events/ru.json' with { type: 'json' };
import zhEvents from '../events/zh.json' with { type: 'json' };
import deFailures from '../failures/de.json' with { type: 'json' };
import enFailures from '../failures/en.json' with { type: 'json' };
import frFailures from '../failures/fr.json' with { type: 'json' };
import ptFailures from '../failures/pt.json' with { type: 'json' };
import ruFailures from '../failures/ru.json' with { type: 'json' };
import zhFailures from '../failures/zh.json' with { type: 'json' };
import type { Catalogue } from './message-text.ts';

/** The catalogues of one area. */
export type Catalogues = Readonly<Record<Language, Catalogue>>;

/** Texts of alerts and mails. */
export const ALERTS: Catalogues = {
  en: enAlerts,
  ru: ruAlerts,
  de: deAlerts,
  zh: zhAlerts,
  fr: frAlerts,
  pt: ptAlerts,
};

/** Errors of calls and of fields. */
export const ERRORS: Catalogues = {
  en: enErrors,
  ru: ruErrors,
  de: deErrors,
  zh: zhErrors,
  fr: frErrors,
  pt: ptErrors,
};

/** Texts that explain why a task ended. */
export const END_REASONS: Catalogues = {
  en: enEndReasons,
  ru: ruEndReasons,
  de: deEndReasons,
  zh: zhEndReasons,
  fr: frEndReasons,
  pt: ptEndReasons,
};

/** Texts of the activity log. */
export const EVENTS: Catalogues = {
  en: enEvents,
  ru: ruEvents,
  de: deEvents,
  zh: zhEvents,
  fr: frEvents,
  pt: ptEvents,
};

/** Causes of failures, and on how many hosts. */
export const FAILURES: Catalogues = {
  en: enFailures,
  ru: ruFailures,
  de: deFailures,
  zh: zhFailures,
  fr: frFailures,
  pt: ptFailures,
};

import type { AlertDeliveryError } from '@signalbox/contract';

const TEXTS: Readonly<Record<AlertDeliveryError, string>> = {
  not_configured: 'alerts.error.notConfigured',
  not_wanted: 'alerts.error.notWanted',
  address_refused: 'alerts.error.addressRefused',
  no_such_host: 'alerts.error.noSuchHost',
  not_reached: 'alerts.error.notReached',
  timed_out: 'alerts.error.timedOut',
  not_trusted: 'alerts.error.notTrusted',
  redirected: 'alerts.error.redirected',
  refused: 'alerts.error.refused',
  failed: 'alerts.error.failed',
};

/** Why an alert was not delivered, with the status code of the receiver if there is one. */
export const deliveryErrorText = (t: (key: string) => string, error: AlertDeliveryError, detail: string): string =>
  detail === '' ? t(TEXTS[error]) : `${t(TEXTS[error])} (${detail})`;

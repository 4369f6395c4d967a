import type { AlertReceiver, BodyInput, ReceiverKind, RouteTable } from '@signalbox/contract';

/** Values of the form. The API never returns the address and the secret: empty keeps the stored value. */
export type ReceiverValues = {
  name: string;
  kind: ReceiverKind;
  url: string;
  secret: string;
  active: boolean;
  removeSecret: boolean;
};

/** The kinds of receivers in the order of the form, with the catalogue keys of their names. */
const KIND_LABELS: Readonly<Record<ReceiverKind, string>> = {
  slack: 'alerts.kind.slack',
  teams: 'alerts.kind.teams',
  mattermost: 'alerts.kind.mattermost',
  webhook: 'alerts.kind.webhook',
};

export const RECEIVER_KINDS = Object.keys(KIND_LABELS) as readonly ReceiverKind[];

export const receiverKindLabel = (kind: ReceiverKind): string => KIND_LABELS[kind];

export const newReceiverValues = (receiver: AlertReceiver | undefined): ReceiverValues => ({
  name: receiver?.name ?? '',
  kind: receiver?.kind ?? 'slack',
  url: '',
  secret: '',
  active: receiver?.active ?? true,
  removeSecret: false,
});

const isAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
};

/** Catalogue keys of the errors, by field. */
export const receiverProblems = (
  { name, url }: ReceiverValues,
  isNew: boolean,
): Readonly<Record<string, string | undefined>> => ({
  name: name.trim() === '' ? 'form.nameRequired' : undefined,
  url:
    url.trim() === ''
      ? isNew
        ? 'alerts.urlRequired'
        : undefined
      : isAddress(url.trim())
        ? undefined
        : 'alerts.urlWrong',
});

/** The body of the request. It contains the address and the secret only if they were entered. */
export const receiverBody = (values: ReceiverValues): BodyInput<RouteTable['createAlertReceiver']> => {
  const { name, kind, url, secret, active, removeSecret } = values;
  const signs = kind === 'webhook';
  return {
    name: name.trim(),
    kind,
    active,
    ...(url.trim() === '' ? {} : { url: url.trim() }),
    ...(signs && removeSecret ? { secret: '' } : signs && secret !== '' ? { secret } : {}),
  } as BodyInput<RouteTable['createAlertReceiver']>;
};

import type {
  BodyInput,
  LaunchValues,
  RouteTable,
  SenderCheck,
  Webhook,
  WebhookCallContent,
  WebhookExtractor,
  WebhookMatcher,
} from '@signalbox/contract';

/** A rule with a key that stays the same when rows before it are removed. */
type Row<Rule> = Rule & { readonly key: number };
export type MatcherRow = Row<WebhookMatcher>;
export type ExtractorRow = Row<WebhookExtractor>;

export interface Rules {
  readonly matchers: readonly MatcherRow[];
  readonly extractors: readonly ExtractorRow[];
}

/** Values of the form that do not depend on the template. */
export interface WebhookFormValues extends Rules {
  name: string;
  template_id: string | null;
  active: boolean;
  sender_check: SenderCheck;
  signature_header: string;
  delivery_header: string;
  secret: string;
}

const withKeys = <Rule extends object>(rules: readonly Rule[]): Row<Rule>[] =>
  rules.map((rule, key) => ({ ...rule, key }));

export const withoutKeys = <Rule extends object>(rows: readonly Row<Rule>[]): Rule[] =>
  rows.map(({ key: _, ...rule }) => rule as unknown as Rule);

export const nextKey = (rows: readonly { readonly key: number }[]): number =>
  Math.max(-1, ...rows.map(({ key }) => key)) + 1;

export const webhookFormValues = (item: Webhook | undefined, template: number | undefined): WebhookFormValues => ({
  name: item?.name ?? '',
  template_id: String(item?.template_id ?? template ?? '') || null,
  active: item?.active ?? true,
  sender_check: item?.sender_check ?? 'github',
  signature_header: item?.signature_header ?? '',
  delivery_header: item?.delivery_header ?? '',
  secret: '',
  matchers: withKeys(item?.matchers ?? []),
  extractors: withKeys(item?.extractors ?? []),
});

/** The body of a request. Without a typed secret, the stored one is kept. */
export const webhookFormBody = (
  values: WebhookFormValues,
  launch_values: LaunchValues,
): NonNullable<BodyInput<RouteTable['createWebhook']>> => {
  const { active, sender_check, secret } = values;
  return {
    name: values.name.trim(),
    template_id: Number(values.template_id),
    ...{ active, sender_check },
    signature_header: sender_check === 'hmac' ? values.signature_header.trim() : '',
    delivery_header: values.delivery_header.trim(),
    ...(secret === '' || sender_check === 'none' ? {} : { secret }),
    matchers: withoutKeys(values.matchers),
    extractors: withoutKeys(values.extractors),
    launch_values,
  };
};

/** Catalogue keys of the errors by field. The server checks everything else. */
export const webhookFormProblems = (
  { name, template_id, sender_check, secret, signature_header }: WebhookFormValues,
  item: Webhook | undefined,
): Readonly<Record<string, string>> => {
  const needsSecret = sender_check !== 'none' && item?.has_secret !== true;
  return {
    ...(name.trim() === '' ? { name: 'form.nameRequired' } : {}),
    ...(template_id === null ? { template_id: 'schedules.required' } : {}),
    ...(needsSecret && secret === '' ? { secret: 'schedules.required' } : {}),
    ...(sender_check === 'hmac' && signature_header.trim() === '' ? { signature_header: 'schedules.required' } : {}),
  };
};

/** A call with which conditions and values are tried. */
export interface Sample {
  /** One header in each line, as `name: value`. */
  readonly headers: string;
  readonly body: string;
}

export const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [name = '', ...value] = line.split(':');
      return name.trim() === '' || value.length === 0 ? [] : [[name.trim(), value.join(':').trim()]];
    }),
  );

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

/** Headers of every request, which no condition needs. */
const USUAL = ['accept', 'accept-encoding', 'accept-language', 'connection', 'content-length', 'host', 'user-agent'];

/** A received call as a sample. */
export const sampleOf = ({ headers, body }: Pick<WebhookCallContent, 'headers' | 'body'>): Sample => ({
  headers: Object.entries(headers)
    .filter(([name]) => !USUAL.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
  body: indented(body),
});

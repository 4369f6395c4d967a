import { useDebouncedValue } from '@mantine/hooks';
import type { BodyInput, RouteTable, WebhookTestResult } from '@signalbox/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { headersOf, type Rules, type Sample, withoutKeys } from './webhook-values.ts';

/** Time without a change before the server tries the sample, in milliseconds. */
const DELAY_MS = 300;

type MatcherResult = WebhookTestResult['matchers'][number];
type ExtractorResult = WebhookTestResult['extractors'][number];

/** What rules give for a sample. Results and errors of rows are by the keys of the rows. */
export interface SampleTest {
  readonly isJson: boolean;
  readonly isMatch: boolean;
  readonly matchers: ReadonlyMap<number, MatcherResult>;
  readonly extractors: ReadonlyMap<number, ExtractorResult>;
  /** Numbers of the lines of the body that conditions and values use. */
  readonly lines: readonly number[];
}

export interface SampleTesting {
  /** Undefined without a sample. */
  readonly test: SampleTest | undefined;
  /** Why the server could not try the rules: by `matchers.<key>.<field>`, or for all of them. */
  readonly errors: Readonly<Record<string, string>>;
  readonly error: string | undefined;
}

/** Rules that were typed completely. */
const completeOf = ({ matchers, extractors }: Rules): Rules => ({
  matchers: matchers.filter(({ path, method, value }) => path.trim() !== '' && (method !== 'matches' || value !== '')),
  extractors: extractors.filter(({ path }) => path.trim() !== ''),
});

const byKey = <R>(rows: readonly { readonly key: number }[], results: readonly R[]): Map<number, R> =>
  new Map(rows.flatMap(({ key }, n) => (results[n] === undefined ? [] : [[key, results[n]] as const])));

const linesOf = ({ matchers, extractors }: WebhookTestResult): number[] => {
  const lines = new Set<number>();
  for (const { lines: of } of [...matchers, ...extractors]) {
    const [first = 1, last = 0] = of ?? [];
    for (let line = first; line <= last; line += 1) lines.add(line);
  }
  return [...lines];
};

interface TestInput {
  readonly rules: Rules;
  readonly sample: Sample;
}

/** Tries the rules of the form with the sample on the server, a moment after the last change. */
export const useSampleTest = (project_id: number, input: TestInput, mayTest: boolean): SampleTesting => {
  const now = JSON.stringify({ rules: completeOf(input.rules), sample: input.sample } satisfies TestInput);
  const [json] = useDebouncedValue(now, DELAY_MS);
  const { rules, sample } = JSON.parse(json) as TestInput;
  const query = useQuery({
    queryKey: queryKey.webhookTest(project_id, json),
    queryFn: async ({ signal }) => {
      const body: BodyInput<RouteTable['testWebhook']> = {
        matchers: withoutKeys(rules.matchers),
        extractors: withoutKeys(rules.extractors),
        headers: headersOf(sample.headers),
        body: sample.body,
      };
      return { rules, sample, result: await call('testWebhook', { params: { project_id }, body, signal }) };
    },
    enabled: mayTest && `${sample.body}${sample.headers}`.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { error } = query;
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  const errors = fields.map(([name, text]) => {
    const [list, n, field] = name.split('.');
    const key = (list === 'matchers' ? rules.matchers : rules.extractors)[Number(n)]?.key;
    return [`${list}.${key}.${field}`, text];
  });
  const isEmpty = `${input.sample.body}${input.sample.headers}`.trim() === '';
  const tried = isEmpty || error ? undefined : query.data;
  return {
    test: tried && {
      isJson: tried.result.is_json,
      isMatch: tried.result.is_match,
      matchers: byKey(tried.rules.matchers, tried.result.matchers),
      extractors: byKey(tried.rules.extractors, tried.result.extractors),
      // Lines of another body than the one that is shown would be wrong.
      lines: tried.sample.body === input.sample.body ? linesOf(tried.result) : [],
    },
    errors: Object.fromEntries(errors),
    error: error === null || errors.length > 0 ? undefined : errorText(error),
  };
};

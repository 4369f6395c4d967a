import type { Message, WebhookExtractor, WebhookMatcher, WebhookTestResult } from '@signalbox/contract';
import { parseJsonPath, valueAt } from '../../json-path.ts';
import { findPart } from '../../survey-pattern.ts';
import { WorkSlice } from '../../work-slice.ts';
import { linesOf } from './json-lines.ts';
import type { ReadCall } from './received-call.ts';

type ValuePath = Pick<WebhookMatcher, 'source' | 'path'>;

const textOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const textAt = ({ headers, json }: ReadCall, { source, path }: ValuePath): string | undefined => {
  if (source === 'header') return Object.hasOwn(headers, path.toLowerCase()) ? headers[path.toLowerCase()] : undefined;
  return textOf(valueAt(json, parseJsonPath(path) ?? []));
};

const matches = ({ method, value }: WebhookMatcher, text: string | undefined): boolean => {
  if (text === undefined) return method === 'not_equals';
  switch (method) {
    case 'exists':
      return true;
    case 'equals':
      return text === value;
    case 'not_equals':
      return text !== value;
    case 'contains':
      return text.includes(value);
    case 'matches':
      return findPart(value, text) !== undefined;
  }
};

const extract = ({ pattern }: WebhookExtractor, text: string | undefined): string | undefined =>
  text === undefined || pattern === '' ? text : findPart(pattern, text);

interface Rules {
  readonly matchers: readonly WebhookMatcher[];
  readonly extractors: readonly WebhookExtractor[];
}

interface TriedMatcher {
  readonly matcher: WebhookMatcher;
  readonly isMatch: boolean;
  readonly text: string | undefined;
}

interface TriedExtractor {
  readonly extractor: WebhookExtractor;
  readonly text: string | undefined;
}

export interface TriedRules {
  readonly matchers: readonly TriedMatcher[];
  readonly extractors: readonly TriedExtractor[];
}

/** Tries every matcher and extractor with a call. */
export const tryRules = async ({ matchers, extractors }: Rules, call: ReadCall): Promise<TriedRules> => {
  const slice = new WorkSlice();
  const tried: { matchers: TriedMatcher[]; extractors: TriedExtractor[] } = { matchers: [], extractors: [] };
  for (const matcher of matchers) {
    const text = textAt(call, matcher);
    tried.matchers.push({ matcher, text, isMatch: matches(matcher, text) });
    if (slice.isOver) await slice.next();
  }
  for (const extractor of extractors) {
    tried.extractors.push({ extractor, text: extract(extractor, textAt(call, extractor)) });
    if (slice.isOver) await slice.next();
  }
  return tried;
};

/** Longest part of a value in reasons and results of tests, in characters. */
const SHOWN = 1024;
const REASON = 100;

const shown = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : text.slice(0, max).replaceAll('\0', '\ufffd').toWellFormed();

/** Why a call does not match; undefined if it does. */
export const mismatchOf = ({ matchers }: TriedRules): Message | undefined => {
  const failed = matchers.find(({ isMatch }) => !isMatch);
  if (!failed) return undefined;
  const { path } = failed.matcher;
  const value = shown(failed.text, REASON);
  return value === null
    ? { code: 'reason.webhook_no_value', params: { path } }
    : { code: 'reason.webhook_value', params: { path, value } };
};

/**
 * The result of a test: each value, and the lines of the body that contain it.
 * @param body the body if it is valid JSON
 */
export const testResultOf = async (
  { matchers, extractors }: TriedRules,
  body: string | undefined,
): Promise<Omit<WebhookTestResult, 'is_json'>> => {
  const slice = new WorkSlice();
  const result = async ({ source, path }: ValuePath, text: string | undefined) => {
    const lines = source === 'body' && body !== undefined ? linesOf(body, parseJsonPath(path) ?? []) : undefined;
    if (slice.isOver) await slice.next();
    return { value: shown(text, SHOWN), lines: lines ?? null };
  };
  const tried: Omit<WebhookTestResult, 'is_json'> = {
    is_match: matchers.every(({ isMatch }) => isMatch),
    matchers: [],
    extractors: [],
  };
  for (const { matcher, isMatch, text } of matchers)
    tried.matchers.push({ is_match: isMatch, ...(await result(matcher, text)) });
  for (const { extractor, text } of extractors) tried.extractors.push(await result(extractor, text));
  return tried;
};

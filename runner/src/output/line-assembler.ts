import { LineSplitter, type RawLine } from './line-splitter.ts';
import { MASK, type Masker, maskSpans } from './masker.ts';
import { firstMarkers, isBlank, type PlainLine, plainLine } from './plain-text.ts';
import { ResultFinder, type ResultLines } from './result-lines.ts';
import { MIN_SECRET } from './secret-forms.ts';
import type { Span } from './visible-text.ts';

/** A line as it is stored. */
export interface LogLine {
  /** From 1. */
  number: number;
  text: string;
  /** Offset of the first byte in output.log. */
  start: number;
  /** Offset after the line in output.log. Reading from there returns the same following lines. */
  end: number;
}

/**
 * Maximum characters of adjacent matches that are held. Longer ones are returned as one line, even if another match
 * follows.
 */
const MAX_HELD = 64 * 1024;

/**
 * Maximum number of truncated lines of a run whose end is searched for the beginning of a secret. Only a playbook that
 * forges their markers has more; the others are masked completely.
 */
const MAX_TRUNCATED_LINES = 200;

type OpenLine = Pick<RawLine, 'newline' | 'end'> & PlainLine;

/** The position of an assembler: the `line` lines before `offset` were returned. */
export interface LinePosition {
  readonly offset: number;
  readonly line: number;
  /** The first visible line since the last marker. */
  readonly shown: number | null;
}

/**
 * Receives each marker of the callback plugin. `line` is the first line with visible text since the previous marker, if
 * any; `results` are the results of hosts since then; `title` is the first line after the last blank one: warnings can
 * come before the title of a play or a step.
 */
export type OnMarker = (
  marker: number,
  line: number | undefined,
  results: readonly ResultLines[],
  title: number | undefined,
) => void;

/**
 * Converts the bytes of output.log to numbered, masked lines. A line is returned as soon as no secret can continue
 * after its end. Lines that one secret spans are joined.
 */
export class LineAssembler {
  readonly #splitter: LineSplitter;
  readonly #masker: Masker;
  readonly #onMarker: OnMarker;
  #open: OpenLine[] = [];
  /** Number of characters at the beginning of the open lines that belong to a match whose first part was returned. */
  #maskedLength = 0;
  /** Number of truncated lines so far. */
  #truncatedLines = 0;
  #count = 0;
  #firstShown: number | undefined;
  #title: number | undefined;
  #wasBlank = false;
  /** Number of markers at the beginning of the incomplete last line that are already reported. */
  #early = 0;
  readonly #results = new ResultFinder();
  #end: number;
  #position: LinePosition;

  constructor(
    masker: Masker,
    onMarker: OnMarker = () => undefined,
    splitter = new LineSplitter(),
    from?: LinePosition,
  ) {
    this.#splitter = splitter;
    this.#masker = masker;
    this.#onMarker = onMarker;
    this.#count = from?.line ?? 0;
    this.#firstShown = from?.shown ?? undefined;
    this.#end = from?.offset ?? 0;
    this.#position = { offset: this.#end, line: this.#count, shown: from?.shown ?? null };
  }

  /** Number of returned lines. */
  get count() {
    return this.#count;
  }

  /** Offset after the newest line in which no match continues. */
  get position(): LinePosition {
    return this.#position;
  }

  push(chunk: Buffer): LogLine[] {
    this.#add(this.#splitter.push(chunk));
    const lines = this.#take(false);
    this.#reportEarlyMarkers();
    return lines;
  }

  /** The remaining lines after the end of the file. */
  end(): LogLine[] {
    this.#add(this.#splitter.end());
    return this.#take(true);
  }

  #add(lines: readonly RawLine[]) {
    for (const { bytes, newline, end } of lines) {
      const line = plainLine(bytes);
      line.markersBefore = line.markersBefore.slice(this.#early);
      this.#early = 0;
      this.#truncatedLines += line.isTruncated ? 1 : 0;
      const isHidden = line.isTruncated && this.#truncatedLines > MAX_TRUNCATED_LINES && !this.#masker.isEmpty;
      this.#open.push({ newline, end, ...line, ...(isHidden ? { text: MASK, isTruncated: false } : {}) });
    }
  }

  #take(all: boolean): LogLine[] {
    if (this.#open.length === 0) return [];
    if (this.#masker.isEmpty) return this.#give(this.#open.splice(0), '', [], 0);
    const joined = this.#open.map((line) => (line.newline ? `${line.text}\n` : line.text)).join('');
    const spans = this.#withTruncatedSecrets(joined, this.#withEarlierMatch(this.#masker.spans(joined)));
    const incompleteFrom = all
      ? joined.length
      : this.#masker.incompleteFrom(joined, this.#open.at(-1)?.newline ?? true);
    return this.#give(this.#open, joined, spans, incompleteFrom);
  }

  /** Adds the rest of a match whose first part was returned before. */
  #withEarlierMatch(spans: readonly Span[]): readonly Span[] {
    if (this.#maskedLength === 0) return spans;
    const joins = spans.filter(([start]) => start < this.#maskedLength);
    const end = Math.max(this.#maskedLength, ...joins.map((span) => span[1]));
    return [[0, end], ...spans.slice(joins.length)];
  }

  /** Adds the end of each truncated line that may be the beginning of a secret. */
  #withTruncatedSecrets(joined: string, spans: readonly Span[]): readonly Span[] {
    let [end, all] = [0, spans];
    for (const line of this.#open) {
      end += line.text.length;
      if (line.isTruncated) {
        const start = this.#masker.incompleteFrom(joined.slice(0, end), false);
        // Joined with every match that it overlaps or contains.
        const from = Math.min(start, ...all.filter((span) => span[0] < end && span[1] > start).map((span) => span[0]));
        if (end - start >= MIN_SECRET) {
          all = [...all.filter((span) => span[1] <= from), [from, end], ...all.filter((span) => span[0] >= end)];
        }
      }
      end += line.newline ? 1 : 0;
    }
    return all;
  }

  #give(lines: OpenLine[], joined: string, spans: readonly Span[], incompleteFrom: number): LogLine[] {
    const given: LogLine[] = [];
    let group: OpenLine[] = [];
    let [from, to, next] = [0, 0, 0];
    for (const line of lines) {
      group.push(line);
      to += line.text.length + (line.newline ? 1 : 0);
      while ((spans[next]?.[1] ?? Number.POSITIVE_INFINITY) <= to) next += 1;
      const isMasked = (spans[next]?.[0] ?? Number.POSITIVE_INFINITY) < to;
      // Any match that starts before this offset is already known, even if it ends after it.
      const isLong = to - from > MAX_HELD && to <= joined.length - this.#masker.longest;
      if (joined !== '' && (isMasked || to > incompleteFrom) && !isLong) continue;
      const end = line.newline ? to - 1 : to;
      const text = joined === '' ? line.text : maskSpans(joined, spans, from, end);
      for (const part of group) for (const marker of part.markersBefore) this.#reportMarker(marker);
      // A last part with markers and no text is not a line.
      if (text !== '' || line.newline || group.length > 1) given.push(this.#number(text, line.end));
      for (const part of group) for (const marker of part.markersAfter) this.#reportMarker(marker);
      group = [];
      from = to;
      this.#end = line.end;
    }
    this.#open = group;
    const over = spans.find(([start, end]) => start <= from && end > from);
    this.#maskedLength = over ? over[1] - from : 0;
    if (this.#maskedLength === 0)
      this.#position = { offset: this.#end, line: this.#count, shown: this.#firstShown ?? null };
    return given;
  }

  #number(text: string, end: number): LogLine {
    this.#count += 1;
    this.#results.take(this.#count, text);
    const isEmpty = isBlank(text);
    if (!isEmpty) {
      this.#firstShown ??= this.#count;
      if (this.#wasBlank || this.#title === undefined) this.#title = this.#count;
    }
    this.#wasBlank = isEmpty;
    return { number: this.#count, text, start: this.#end, end };
  }

  /**
   * Reports the markers at the beginning of the incomplete last line. The marker of a step stays there until the step
   * prints something. A marker waits while lines before it have no number because they may still be part of a secret.
   */
  #reportEarlyMarkers(): void {
    if (this.#open.length > 0) return;
    const markers = firstMarkers(this.#splitter.incomplete);
    for (const marker of markers.slice(this.#early)) this.#reportMarker(marker);
    this.#early = markers.length;
  }

  #reportMarker(marker: number) {
    this.#onMarker(marker, this.#firstShown, this.#results.flush(), this.#title);
    this.#firstShown = undefined;
    this.#title = undefined;
  }
}

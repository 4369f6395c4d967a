import { randomBytes } from 'node:crypto';
import { JsonShape } from '@signalbox/contract';

/** Frames above this many bytes are parsed only for a run or a runner query that the runner holds. */
const LARGE_BYTES = 64 * 1024;

/** Maximum number of values in a frame, and their maximum nesting. */
const MAX_VALUES = 250_000;
const MAX_DEPTH = 16;

/** The run or the runner query to which a large frame belongs. */
export type FrameSubject =
  | { readonly of: 'run'; readonly task_id: number; readonly epoch: number }
  | { readonly of: 'query'; readonly query_id: number };

const OF_RUN = /^\{"type":"(?:output|results)","task_id":(\d{1,10}),"epoch":(\d{1,10}),/;
/** Runners with protocol 4 send `question_id`. */
const OF_QUERY = /^\{"type":"answer","(?:query|question)_id":(\d{1,10}),/;

const subjectOf = (frame: Buffer): FrameSubject | undefined => {
  const start = frame.toString('latin1', 0, 120);
  const run = OF_RUN.exec(start);
  if (run) return { of: 'run', task_id: Number(run[1]), epoch: Number(run[2]) };
  const query = OF_QUERY.exec(start);
  return query ? { of: 'query', query_id: Number(query[1]) } : undefined;
};

/**
 * Maximum number of different keys in a large frame, which are slow to parse. The final counts of all hosts have their
 * names as keys: at most 30,000 fit into a frame.
 */
const MAX_DIFFERENT_KEYS = 40_000;

/** Number of keys above which different ones are counted. */
const MANY_KEYS = 20_000;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** An odd number that no client knows, so that no frame can be made of keys with equal hashes. */
const HASH_FACTOR = (randomBytes(4).readUInt32LE() | 1) >>> 0;

/** Whether JSON text has more different keys than allowed, by their hashes. Stops at the first one too many. */
const hasManyDifferentKeys = (text: string): boolean => {
  const hashes = new Set<number>();
  let isInString = false;
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === QUOTE) isInString = false;
      else {
        hash = Math.imul(hash ^ code, HASH_FACTOR);
        hash ^= hash >>> 15;
        if (code === BACKSLASH) index += 1;
      }
    } else if (code === QUOTE) {
      isInString = true;
      hash = HASH_FACTOR;
    } else if (code === COLON && hashes.add(hash).size > MAX_DIFFERENT_KEYS) return true;
  }
  return false;
};

const isCostly = (text: string): boolean => {
  const shape = new JsonShape();
  shape.add(text);
  if (shape.depth > MAX_DEPTH || shape.values > MAX_VALUES || shape.keys > MAX_VALUES) return true;
  return shape.keys > MANY_KEYS && hasManyDifferentKeys(text);
};

/** A frame that no Signalbox runner sends; the link is closed. */
export class FrameRefused extends Error {}

/**
 * Parses a frame from a runner, within limits that are checked before parsing.
 * @param awaits whether the runner holds the subject of a large frame
 * @returns undefined for a large frame whose subject the runner does not hold
 * @throws FrameRefused, or SyntaxError when the frame is not JSON
 */
export const parseFrame = (frame: Buffer, awaits: (subject: FrameSubject) => boolean): unknown => {
  if (frame.length > LARGE_BYTES) {
    const subject = subjectOf(frame);
    if (!subject)
      throw new FrameRefused(`a frame of ${frame.length} bytes does not begin with its run or runner query`);
    if (!awaits(subject)) return undefined;
  }
  const text = frame.toString('utf8');
  if (isCostly(text)) throw new FrameRefused('a frame has too many values or keys, or is nested too deep');
  return JSON.parse(text);
};

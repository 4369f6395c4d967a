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

const isCostly = (text: string): boolean => {
  const shape = new JsonShape();
  shape.add(text);
  return shape.depth > MAX_DEPTH || shape.values > MAX_VALUES || shape.keys > MAX_VALUES;
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
  if (isCostly(text)) throw new FrameRefused('a frame has too many values, or is nested too deep');
  return JSON.parse(text);
};

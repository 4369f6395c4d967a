import type { ServerMessage } from '@signalbox/contract/link';

/** The previous protocol, in which messages and fields have other names. */
export const PROTOCOL_4 = 4;

type Frame = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Partial<Record<ServerMessage['type'], string>>> = {
  job: 'order',
  start: 'go',
  acknowledged: 'settled',
  abandon: 'drop',
  query: 'question',
  query_ended: 'question_over',
};

const FIELDS: Readonly<Record<string, string>> = {
  job: 'order',
  job_key: 'seal_key',
  orphaned: 'late',
  query: 'question',
  query_id: 'question_id',
};

/** A message of the server with the names of protocol 4. */
export const toProtocol4 = (message: ServerMessage): Frame => {
  const fields = Object.entries(message).map(([name, value]) => [FIELDS[name] ?? name, value]);
  return { ...Object.fromEntries(fields), type: TYPES[message.type] ?? message.type };
};

/** A parsed frame of a runner that uses protocol 4, with the names of the current protocol. Only answers differ. */
export const fromProtocol4 = (frame: unknown): unknown => {
  if (typeof frame !== 'object' || frame === null || !('question_id' in frame && 'answer' in frame)) return frame;
  return { type: 'answer', query_id: frame.question_id, answer: frame.answer };
};

import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WorkSlice } from '../../work-slice.ts';
import { etagOfHash } from '../objects/etag.ts';
import { type AnswerSchema, serializerOf } from './answer-schema.ts';

/** Length from which an answer is sent in parts, and a text is written in pieces, in UTF-16 units. */
const LONG = 256 * 1024;
/** Length of the parts that are hashed and sent at a time, in UTF-16 units. */
const PART = 512 * 1024;
/** Maximum length of a list within an object that is written in one step. */
const LONG_LIST = 100;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether several calls share an answer. */
    readonly shared?: boolean;
  }
}

type Write = (row: unknown) => string;

const asIs = (payload: unknown): string => payload as string;

/** The schema of the rows, when an answer is a list. */
const rowSchemaOf = ({ type, items }: AnswerSchema): AnswerSchema | undefined =>
  type === 'array' && typeof items === 'object' && items !== null ? (items as AnswerSchema) : undefined;

/** Writes a text as JSON in pieces. The result is identical to writing the whole text. */
function* writePieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + LONG - 1);
    // A surrogate pair must not be split.
    const end = at + LONG - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

/** Random, so that no stored text is equal to a marker. */
const MARKER = randomUUID();
/** Replaces the long text or list with this number until it is written. */
const marker = (number: number): string => `${MARKER} ${number}`;
const MARKERS = new RegExp(`"${MARKER} (\\d+)"`);

const isLongText = (value: unknown): boolean => typeof value === 'string' && value.length > LONG;

/** Whether one of the fields of a row is a long text. Does not copy the row, because almost no row has one. */
const hasLongText = (row: object): boolean => {
  for (const name in row) if (isLongText((row as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
};

/** Writes a row and its long texts in pieces: the serialiser writes markers, which are then replaced. */
function* writeLongRow(row: object, write: Write): Generator<string> {
  const long: string[] = [];
  const shorten = (value: unknown): unknown => (isLongText(value) ? marker(long.push(String(value)) - 1) : value);
  const short = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shorten(value)]));
  for (const [index, part] of write(short).split(MARKERS).entries())
    if (index % 2 === 0) yield part;
    else yield* writePieces(long[Number(part)] ?? '');
}

/** Writes a row as JSON, and its long texts in pieces. */
function* writeRow(row: unknown, write: Write): Generator<string> {
  const isRow = typeof row === 'object' && row !== null && !Array.isArray(row);
  if (isRow && hasLongText(row)) yield* writeLongRow(row, write);
  else yield write(row);
}

function* writeList(rows: readonly unknown[], rowSchema: AnswerSchema): Generator<string> {
  const write = serializerOf(rowSchema);
  yield '[';
  for (const [index, row] of rows.entries()) {
    if (index > 0) yield ',';
    yield* writeRow(row, write);
  }
  yield ']';
}

/** The schema of an object whose lists are replaced by texts (markers), and the row schemas of these lists. */
interface ListParts {
  readonly schema: AnswerSchema;
  readonly rowSchemas: ReadonlyMap<string, AnswerSchema>;
}
const listParts = new WeakMap<AnswerSchema, ListParts>();

const listPartsOf = (schema: AnswerSchema): ListParts => {
  const known = listParts.get(schema);
  if (known) return known;
  const properties = (schema.properties ?? {}) as Readonly<Record<string, AnswerSchema>>;
  const rowSchemas = new Map(
    Object.entries(properties).flatMap(([name, property]) => {
      const rowSchema = rowSchemaOf(property);
      return rowSchema ? [[name, rowSchema] as const] : [];
    }),
  );
  const texts = Object.fromEntries([...rowSchemas.keys()].map((name) => [name, { type: 'string' }]));
  const parts = { schema: { ...schema, properties: { ...properties, ...texts } }, rowSchemas };
  listParts.set(schema, parts);
  return parts;
};

/** Writes an object. If one of its lists is long, writes its lists row by row. */
function* writeObject(answer: unknown, schema: AnswerSchema): Generator<string> {
  const { schema: withTexts, rowSchemas } = listPartsOf(schema);
  const object = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const lists = [...rowSchemas].map(([name, rowSchema]) => ({ name, rowSchema, rows: object[name] as unknown[] }));
  if (!lists.every(({ rows }) => Array.isArray(rows)) || !lists.some(({ rows }) => rows.length > LONG_LIST))
    return yield* writeRow(answer, serializerOf(schema));
  const markers = Object.fromEntries(lists.map(({ name }, number) => [name, marker(number)]));
  for (const [index, part] of serializerOf(withTexts)({ ...object, ...markers })
    .split(MARKERS)
    .entries()) {
    const list = lists[Number(part)];
    if (index % 2 === 1 && list) yield* writeList(list.rows, list.rowSchema);
    else yield part;
  }
}

/** Writes an answer as JSON in several texts that follow one another. */
const writeTexts = async (answer: unknown, schema: AnswerSchema, slice: WorkSlice): Promise<string[]> => {
  const rowSchema = rowSchemaOf(schema);
  const texts: string[] = [];
  for (const text of rowSchema ? writeList(answer as unknown[], rowSchema) : writeObject(answer, schema)) {
    texts.push(text);
    if (slice.isOver) await slice.next();
  }
  return texts;
};

/** Joins short texts, so that there are few parts. */
function* joined(texts: readonly string[]): Generator<string> {
  let short = '';
  for (const text of texts) {
    short += text;
    if (short.length < PART) continue;
    yield short;
    short = '';
  }
  yield short;
}

const encode = async (texts: readonly string[], slice: WorkSlice) => {
  const parts: Buffer[] = [];
  const hash = createHash('sha256');
  for (const text of joined(texts)) {
    if (slice.isOver) await slice.next();
    const part = Buffer.from(text);
    hash.update(part);
    parts.push(part);
  }
  return { parts, etag: etagOfHash(hash) };
};

/** An answer as it is sent. */
interface Written {
  readonly parts: readonly Buffer[];
  readonly etag: string;
}

const write = async (answer: unknown, schema: AnswerSchema): Promise<Written> => {
  const slice = new WorkSlice();
  return await encode(await writeTexts(answer, schema, slice), slice);
};

const writtenAnswers = new WeakMap<object, Promise<Written>>();

/** Writes an answer that several calls share once. */
const writeOnce = (answer: object, schema: AnswerSchema): Promise<Written> => {
  const written = writtenAnswers.get(answer) ?? write(answer, schema);
  writtenAnswers.set(answer, written);
  return written;
};

/** The ETag of an answer, see `etagOf`. */
export const etagInSlices = async (answer: unknown, schema: AnswerSchema): Promise<string> =>
  (await write(answer, schema)).etag;

/** Yields the parts of an answer; each is released when the next one is taken. */
function* taken(parts: Buffer[], onTaken: (bytes: number) => void): Generator<Buffer> {
  for (let part = parts.shift(); part; part = parts.shift()) {
    yield part;
    onTaken(part.length);
  }
}

/** Bytes of a long answer that wait in memory. */
interface Waiting {
  bytes: number;
}

/**
 * Writes an answer as JSON, and its headers. A long one is written in slices, so that it does not hold up other calls.
 * @param register called with a long answer before its headers are set; its bytes become fewer while it is sent
 */
export const writeJson = async (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
  schema: AnswerSchema,
  register: (bytes: number) => Waiting,
): Promise<string | Buffer | Readable> => {
  reply.type('application/json; charset=utf-8').serializer(asIs);
  // `etagOf` needs the whole text to leave out fields. Such answers are never much longer than LONG.
  if (request.routeOptions.config.changedByRuns !== undefined)
    return (await writeTexts(answer, schema, new WorkSlice())).join('');
  const isShared = request.routeOptions.config.shared === true && typeof answer === 'object' && answer !== null;
  const { parts, etag } = await (isShared ? writeOnce(answer, schema) : write(answer, schema));
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const [whole] = parts;
  if (bytes < LONG && whole) {
    reply.header('etag', etag);
    return whole;
  }
  const waiting = register(bytes);
  reply.headers({ 'content-length': bytes, etag });
  const release = (sent: number): void => {
    waiting.bytes -= sent;
  };
  return Readable.from(taken([...parts], release), { objectMode: false });
};

import type { Json } from '../schemas.ts';

/** A use that the old document allows and the new one does not. */
export interface Break {
  /** The location: the name of a call or a schema, and the part of it. The changelog names it like this. */
  readonly location: string;
  readonly what: string;
}

/** Direction of the data: a call must still accept the old input and return the old output. */
export type Direction = 'input' | 'output';

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const properties = (schema: Json): Record<string, Json> => (schema.properties ?? {}) as Record<string, Json>;
const required = (schema: Json): string[] => (schema.required ?? []) as string[];
const typesOf = (schema: Json): string[] =>
  Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [String(schema.type)];
const valuesOf = (schema: Json): unknown[] | undefined =>
  'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
const isWithin = (type: string, types: readonly string[]): boolean =>
  types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));

const UPPER_LIMITS = ['maximum', 'maxLength', 'maxItems', 'maxProperties', 'exclusiveMaximum'];
const LOWER_LIMITS = ['minimum', 'minLength', 'minItems', 'minProperties', 'exclusiveMinimum'];

/** Compares schemas of two documents, following references in each. */
export class SchemaComparison {
  private readonly seen = new Set<string>();
  private readonly before: Json;
  private readonly after: Json;

  constructor(before: Json, after: Json) {
    this.before = before;
    this.after = after;
  }

  /** The breaks at one location. Breaks in a named schema are reported once, under its name. */
  compare(oldSchema: Json, newSchema: Json, io: Direction, location: string): Break[] {
    const name = nameOf(oldSchema);
    const [before, after] = [resolveRef(oldSchema, this.before), resolveRef(newSchema, this.after)];
    if (name !== undefined) {
      const key = `${io} ${name} ${nameOf(newSchema) ?? location}`;
      if (this.seen.has(key)) return [];
      this.seen.add(key);
    }
    const here = name ?? location;
    const found = this.options(before, after, io, here);
    if (found) return found;
    return [
      ...compareTypes(before, after, io, here),
      ...(io === 'input' ? compareLimits(before, after, here) : compareForm(before, after, here)),
      ...this.compareProperties(before, after, io, here),
      ...this.compareParts(before, after, io, here),
    ];
  }

  private compareProperties(before: Json, after: Json, io: Direction, location: string): Break[] {
    const breaks: Break[] = [];
    for (const [name, schema] of Object.entries(properties(before))) {
      const now = properties(after)[name];
      const at = `${location}.${name}`;
      if (now === undefined) {
        breaks.push({ location: at, what: io === 'input' ? 'is no longer taken' : 'is no longer answered' });
        continue;
      }
      breaks.push(...this.compare(schema, now, io, at));
      if (io === 'output' && required(before).includes(name) && !required(after).includes(name)) {
        breaks.push({ location: at, what: 'may now be missing' });
      }
    }
    if (io === 'input') {
      for (const name of required(after)) {
        if (!required(before).includes(name)) breaks.push({ location: `${location}.${name}`, what: 'is now required' });
      }
    }
    return breaks;
  }

  private compareParts(before: Json, after: Json, io: Direction, location: string): Break[] {
    const pairs: [unknown, unknown, string][] = [
      [before.items, after.items, `${location}[]`],
      [before.additionalProperties, after.additionalProperties, `${location}.*`],
      ...list(before.prefixItems).map(
        (part, index) => [part, list(after.prefixItems)[index], `${location}[${index}]`] as [unknown, unknown, string],
      ),
    ];
    return pairs.flatMap(([was, now, at]) => {
      if (typeof was !== 'object' || was === null) return [];
      if (typeof now !== 'object' || now === null)
        return io === 'output' ? [{ location: at, what: 'has lost its form' }] : [];
      return this.compare(was as Json, now as Json, io, at);
    });
  }

  /** Undefined if neither side is a choice. */
  private options(before: Json, after: Json, io: Direction, location: string): Break[] | undefined {
    const choices = (schema: Json): Json[] => [...list(schema.anyOf), ...list(schema.oneOf)];
    if (choices(before).length + choices(after).length === 0) return undefined;
    const old = choices(before).length > 0 ? choices(before) : [before];
    const now = choices(after).length > 0 ? choices(after) : [after];
    // The receiver must know every form that the sender may use.
    const [sent, known] = io === 'input' ? [old, now] : [now, old];
    return sent.flatMap((form) => {
      const pair = (other: Json) => (io === 'input' ? ([form, other] as const) : ([other, form] as const));
      const alike = known.find((other) => this.label(form, io === 'output') === this.label(other, io === 'input'));
      if (alike) return this.compare(...pair(alike), io, location);
      const fits = known.some(
        (other) => new SchemaComparison(this.before, this.after).compare(...pair(other), io, '').length === 0,
      );
      return fits ? [] : [{ location, what: io === 'input' ? 'takes a form less' : 'is answered in one more form' }];
    });
  }

  /** Identifies one form of a choice: its constants, else its type. */
  private label(schema: Json, isNew: boolean): string {
    const document = isNew ? this.after : this.before;
    const form = resolveRef(schema, document);
    const constants = Object.entries(properties(form)).filter(
      ([, property]) => 'const' in resolveRef(property, document),
    );
    if (constants.length === 0) return typesOf(form).join();
    return JSON.stringify(constants.map(([name, property]) => [name, resolveRef(property, document).const]));
  }
}

const nameOf = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1] : undefined;

/** Resolves a reference, including the keywords next to it. */
export const resolveRef = (schema: Json, document: Json): Json => {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...siblings } = schema;
  const path = ($ref as string).slice(2).split('/');
  const target = path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document) as Json | undefined;
  if (!target) throw new Error(`The document has nothing at ${String($ref)}.`);
  return { ...resolveRef(target, document), ...siblings };
};

const compareTypes = (before: Json, after: Json, io: Direction, location: string): Break[] => {
  const [sent, known] = io === 'input' ? [typesOf(before), typesOf(after)] : [typesOf(after), typesOf(before)];
  const unknown = sent.filter((type) => !isWithin(type, known));
  const lost = sent.length === 0 && known.length > 0;
  const breaks: Break[] = [];
  if (unknown.length > 0 || lost) {
    const typeNames = (schema: Json) => typesOf(schema).join(' or ') || 'anything';
    breaks.push({ location, what: `was ${typeNames(before)} and is ${typeNames(after)}` });
  }
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (io === 'input' && now) {
    const removed = old?.filter((value) => !now.includes(value));
    if (!old) breaks.push({ location, what: 'takes only certain values now' });
    else if (removed && removed.length > 0)
      breaks.push({ location, what: `no longer takes ${removed.map((v) => JSON.stringify(v)).join()}` });
  }
  return breaks;
};

const compareLimits = (before: Json, after: Json, location: string): Break[] => {
  const narrower = [
    ...UPPER_LIMITS.filter((key) => after[key] !== undefined && Number(before[key] ?? Infinity) > Number(after[key])),
    ...LOWER_LIMITS.filter((key) => after[key] !== undefined && Number(before[key] ?? -Infinity) < Number(after[key])),
    ...(after.pattern !== undefined && after.pattern !== before.pattern ? ['pattern'] : []),
  ];
  const breaks = narrower.map((key) => ({
    location,
    what: `has the ${key} ${JSON.stringify(after[key])}, before ${JSON.stringify(before[key]) ?? 'none'}`,
  }));
  if ('default' in before && JSON.stringify(before.default) !== JSON.stringify(after.default)) {
    breaks.push({ location, what: `means ${JSON.stringify(after.default) ?? 'nothing'} where it is left out` });
  }
  return breaks;
};

/** A date and time in a response must stay one. The kind of a number does not matter to clients. */
const compareForm = (before: Json, after: Json, location: string): Break[] =>
  typesOf(before).includes('string') && before.format !== undefined && before.format !== after.format
    ? [{ location, what: `is no longer of the form ${String(before.format)}` }]
    : [];

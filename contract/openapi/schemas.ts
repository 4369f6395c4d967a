import { z } from 'zod';
import * as contract from '../src/index.ts';
import { describeField } from './field-descriptions.ts';

export type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

/** Objects, enums and unions become named schemas, under their export names in the contract. */
const NAMED_KINDS: ReadonlySet<string> = new Set(['object', 'enum', 'union']);

/** The kind of a schema. A transformed schema has the kind of its input. */
const kindOf = (schema: z.ZodType): string =>
  schema instanceof z.ZodPipe ? kindOf(schema.in as z.ZodType) : schema.def.type;

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries<unknown>(contract)) {
  if (schema instanceof z.ZodType && NAMED_KINDS.has(kindOf(schema))) names.add(schema, { id });
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether every engine for regular expressions supports a pattern. Other patterns are left out of the document. */
const isPortable = (pattern: unknown): boolean => typeof pattern === 'string' && !/\\[pu]|\(\?/.test(pattern);

const SAFE = Number.MAX_SAFE_INTEGER;

/** Removes keywords that would make generated clients too strict. */
const tidy = (schema: Json): void => {
  // A later version may add fields to a response.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === -SAFE) delete schema.minimum;
  if (schema.maximum === SAFE) delete schema.maximum;
  if (schema.pattern !== undefined && !isPortable(schema.pattern)) delete schema.pattern;
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.filter(
      (part: Json) => Object.keys(part).join() !== 'pattern' || isPortable(part.pattern),
    );
    if (parts.length === 0) delete schema.allOf;
    else if (parts.length === 1 && Object.keys(parts[0] as Json).join() === 'pattern' && schema.pattern === undefined) {
      delete schema.allOf;
      Object.assign(schema, parts[0]);
    } else schema.allOf = parts;
  }
};

const override = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void => {
  const { openapi, openapiFormat, openapiRules, description, examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (openapi) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, openapi);
  }
  if (typeof openapiFormat === 'string') jsonSchema.format = openapiFormat;
  // Rules between fields are written next to the fields: `if` one field has a value, `then` another is required.
  if (Array.isArray(openapiRules)) jsonSchema.allOf = [...((jsonSchema.allOf ?? []) as Json[]), ...openapiRules];
  if (description !== undefined) jsonSchema.description = description;
  if (examples !== undefined) jsonSchema.examples = examples;
  tidy(jsonSchema);
};

/** Merges a nullable value into one schema, and sets the format of integers. */
const join = (schema: Json): void => {
  const [only, none] = Array.isArray(schema.anyOf) && schema.anyOf.length === 2 ? (schema.anyOf as Json[]) : [];
  if (only && none?.type === 'null' && typeof only.type === 'string' && only.enum === undefined) {
    delete schema.anyOf;
    Object.assign(schema, only, { type: [only.type, 'null'] });
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes('integer')) schema.format ??= 'int32';
};

/** Adds the descriptions of all properties below `value`. */
const describe = (value: unknown, component: string): void => {
  if (Array.isArray(value)) for (const part of value) describe(part, component);
  if (!isObject(value)) return;
  for (const [name, property] of Object.entries(isObject(value.properties) ? value.properties : {})) {
    if (!isObject(property) || property.description !== undefined) continue;
    const description = describeField(component, name);
    if (description !== undefined) property.description = description;
  }
  for (const part of Object.values(value)) describe(part, component);
  join(value);
};

const mapRefs = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((part) => mapRefs(part, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const name = key === '$ref' && typeof part === 'string' ? /^#\/\$defs\/(.+)$/.exec(part)?.[1] : undefined;
      return [key, name === undefined ? mapRefs(part, rename) : `#/components/schemas/${rename(name)}`];
    }),
  );
};

/** Collects the JSON schemas of a document. Named schemas become components, to which the document refers. */
export class SchemaBook {
  private readonly defs = { input: new Map<string, Json>(), output: new Map<string, Json>() };
  private readonly references: { target: Json; io: Direction }[] = [];

  /** Adds a schema to the document. Its references are final after {@link finish}. */
  add(schema: z.ZodType, io: Direction, component = ''): Json {
    // Wrapped in an object, so that the schema itself is also replaced by a reference.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      metadata: names,
      unrepresentable: 'any',
      override,
    }) as unknown as { properties: { it: Json }; $defs?: Record<string, Json> };
    for (const [name, def] of Object.entries($defs)) {
      if (this.defs[io].has(name)) continue;
      describe(def, name);
      this.defs[io].set(name, def);
    }
    const { it } = properties;
    describe(it, component);
    this.references.push({ target: it, io });
    return it;
  }

  /** Resolves all references and returns the components by name. A schema that differs between input and output becomes two. */
  finish(): Record<string, Json> {
    const { input, output } = this.defs;
    const own = new Set<string>();
    const rename = { input: (name: string) => (own.has(name) ? `${name}Input` : name), output: (name: string) => name };
    const asText = (def: Json | undefined, io: Direction) => JSON.stringify(mapRefs(def, rename[io]));
    for (let before = -1; before !== own.size; ) {
      before = own.size;
      for (const [name, def] of input)
        if (output.has(name) && asText(def, 'input') !== asText(output.get(name), 'output')) own.add(name);
    }
    const all: Record<string, Json> = {};
    for (const io of ['output', 'input'] as const)
      for (const [name, def] of this.defs[io]) all[rename[io](name)] = mapRefs(def, rename[io]) as Json;
    for (const { target, io } of this.references) Object.assign(target, mapRefs(target, rename[io]));
    return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The parts of a JSON schema that the page reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly [type: string]: { readonly schema?: Schema; readonly example?: unknown };
}

interface Reply {
  readonly description: string;
  readonly content?: Content;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly description: string; readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Reply | { readonly $ref: string }>>;
}

/** The OpenAPI document as the server returns it. */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface ApiCall {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly allowed: string;
  readonly open: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly note: string; readonly schema: Schema; readonly example: unknown } | undefined;
  /** A successful response with its body, or 304 Not Modified. */
  readonly answers: readonly { readonly status: string; readonly note: string; readonly schema: Schema | undefined }[];
  readonly errors: readonly { readonly status: string; readonly note: string }[];
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly calls: readonly ApiCall[];
}

const follow = <T extends object>(document: ApiDocument, value: T | { readonly $ref: string }): T => {
  if (!('$ref' in value)) return value;
  const path = value.$ref.slice(2).split('/');
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
};

const schemaOf = (content: Content | undefined) => Object.values(content ?? {})[0];

const readCall = (document: ApiDocument, path: string, method: string, operation: Operation): ApiCall => {
  const replies = Object.entries(operation.responses).map(([status, reply]) => {
    const { description, content } = follow(document, reply);
    return { status, note: description, schema: schemaOf(content)?.schema };
  });
  const { requestBody } = operation;
  const body = schemaOf(requestBody?.content);
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    allowed: operation.description,
    open: operation.security?.length === 0,
    parameters: operation.parameters.map((one) => follow(document, one)),
    body:
      requestBody && body?.schema
        ? { note: requestBody.description, schema: body.schema, example: body.example }
        : undefined,
    answers: replies.filter(({ status }) => Number(status) < 400),
    errors: replies.filter(({ status }) => Number(status) >= 400),
  };
};

/** The calls grouped by noun, in the order of the document. */
export const readGroups = (document: ApiDocument): Group[] => {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      call: readCall(document, path, method, operation),
    })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    calls: calls.filter(({ tag }) => tag === name).map(({ call }) => call),
  }));
};

/** The groups reduced to calls that contain every search term. A group whose name matches keeps all of its calls. */
export const searchGroups = (groups: readonly Group[], search: string): Group[] => {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      calls: group.calls.filter(({ name, method, path, summary }) => {
        const text = [group.name, name, method, path, summary].join(' ').toLowerCase();
        return terms.every((term) => text.includes(term));
      }),
    }))
    .filter(({ calls }) => calls.length > 0);
};

/** The name of the schema that a reference points to. */
export const shapeName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The schema that a reference points to. */
export const readShape = (document: ApiDocument, schema: Schema): Schema => {
  const name = shapeName(schema);
  return (name === undefined ? undefined : document.components.schemas[name]) ?? schema;
};

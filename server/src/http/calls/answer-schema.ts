import { Param, type RouteShape } from '@signalbox/contract';
import fastJsonStringify from 'fast-json-stringify';
import { z } from 'zod';

export type AnswerSchema = Record<string, unknown>;

const hasParams = (schema: z.core.$ZodTypes | z.core.$ZodType): boolean =>
  schema instanceof z.ZodRecord && (schema.valueType as unknown) === Param;

const toAnswerSchema = ({ answer }: RouteShape): AnswerSchema | undefined => {
  if (typeof answer === 'string' || !('parse' in answer)) return undefined;
  return z.toJSONSchema(answer, {
    target: 'openapi-3.0',
    io: 'output',
    unrepresentable: 'any',
    // The serialiser does not support nullable unions: without a schema it passes on the value of the handler. It
    // does not support recursive schemas either, such as the parameters of messages.
    override: ({ zodSchema, jsonSchema }) => {
      const isUnion = 'nullable' in jsonSchema && jsonSchema.type === undefined;
      if (!isUnion && !hasParams(zodSchema)) return;
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name as keyof typeof jsonSchema];
    },
  });
};

// Built once per route, also when tests start several servers in one process.
const schemas = new WeakMap<RouteShape, { readonly schema: AnswerSchema | undefined }>();
const serializers = new WeakMap<AnswerSchema, (answer: unknown) => string>();

/** Returns the JSON schema of a call's answer; undefined for a call that answers a stream or nothing. */
export const answerSchema = (route: RouteShape): AnswerSchema | undefined => {
  const known = schemas.get(route) ?? { schema: toAnswerSchema(route) };
  schemas.set(route, known);
  return known.schema;
};

/** Returns the function that writes an answer as JSON. It drops fields that the schema does not name, so none leak. */
export const serializerOf = (schema: AnswerSchema): ((answer: unknown) => string) => {
  const serializer = serializers.get(schema) ?? fastJsonStringify(schema);
  serializers.set(schema, serializer);
  return serializer;
};

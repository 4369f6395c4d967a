type Schema = Readonly<Record<string, unknown>>;

/**
 * A rule between fields for the OpenAPI file: applies a schema when a field has a value.
 * @param field name of the field
 * @param value the value to which the rule applies
 * @param then JSON schema of the whole body in this case
 */
export const whenField = (field: string, value: unknown, then: Schema): Schema => ({
  if: { properties: { [field]: { const: value } }, required: [field] },
  then,
});

/**
 * Like `whenField`, for every other value and for a body without the field.
 * @param otherwise JSON schema of the whole body in this case
 */
export const unlessField = (field: string, value: unknown, otherwise: Schema): Schema => ({
  anyOf: [{ properties: { [field]: { const: value } }, required: [field] }, otherwise],
});

/** A schema that requires each of these fields, with the schema of its value. */
export const needs = (properties: Schema): Schema => ({ properties, required: Object.keys(properties) });

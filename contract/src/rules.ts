type Schema = Readonly<Record<string, unknown>>;

/**
 * A rule between fields for the description of the API, where a field's value asks something of others.
 * @param field and its value
 * @param then a JSON schema that holds in this case
 */
export const whenField = (field: string, value: unknown, then: Schema): Schema => ({
  if: { properties: { [field]: { const: value } }, required: [field] },
  then,
});

/** The same for every other value, and for a body without the field. */
export const unlessField = (field: string, value: unknown, otherwise: Schema): Schema => ({
  anyOf: [{ properties: { [field]: { const: value } }, required: [field] }, otherwise],
});

/** Fields that must be there, with what must hold for each. */
export const needs = (properties: Schema): Schema => ({ properties, required: Object.keys(properties) });

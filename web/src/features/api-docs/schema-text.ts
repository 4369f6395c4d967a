import { numberText } from '../../lang/locale.ts';
import { translate } from '../../lang/translate.ts';
import { type Schema, shapeName } from './api-document.ts';

/** A type as text. `shape` is the named schema that appears in the text, if there is one. */
export interface TypeText {
  readonly before: string;
  readonly shape: string | undefined;
  readonly after: string;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'api.type.text',
  integer: 'api.type.integer',
  number: 'api.type.number',
  boolean: 'api.type.boolean',
  object: 'api.type.object',
  null: 'api.type.nothing',
};

const plain = (text: string): TypeText => ({ before: text, shape: undefined, after: '' });

/** The type of a schema as text. */
export const typeText = (schema: Schema): TypeText => {
  const shape = shapeName(schema);
  if (shape !== undefined) return { before: '', shape, after: '' };
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const nothing = choices.some(({ type }) => type === 'null');
    const rest = choices.filter(({ type }) => type !== 'null');
    const only = rest.length === 1 ? rest[0] : undefined;
    const text = only ? typeText(only) : plain(rest.map((one) => flat(typeText(one))).join(translate('api.type.or')));
    return nothing ? { ...text, after: `${text.after}${translate('api.type.orNothing')}` } : text;
  }
  const types = [schema.type ?? []].flat();
  const nothing = types.includes('null') && types.length > 1 ? translate('api.type.orNothing') : '';
  if (types.includes('array') && schema.items) {
    const { before, shape: name, after } = typeText(schema.items);
    return { before: `${translate('api.type.listOf')}${before}`, shape: name, after: `${after}${nothing}` };
  }
  if (schema.prefixItems) return plain(`[${schema.prefixItems.map((one) => flat(typeText(one))).join(', ')}]`);
  if (typeof schema.additionalProperties === 'object') {
    const { before, shape: name, after } = typeText(schema.additionalProperties);
    return { before: `${translate('api.type.mapOf')}${before}`, shape: name, after };
  }
  if (schema.format === 'date-time') return plain(`${translate('api.type.moment')}${nothing}`);
  const text = types.filter((type) => type !== 'null').map((type) => translate(TYPE_NAMES[type] ?? 'api.type.any'));
  return plain(`${text.join(translate('api.type.or')) || translate('api.type.any')}${nothing}`);
};

const flat = ({ before, shape = '', after }: TypeText): string => `${before}${shape}${after}`;

const MAX_ID = 2_147_483_647;

/** The constraints of a value in addition to its type: allowed values, range, length and default. */
export const ruleTexts = (schema: Schema): string[] => {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern } = schema;
  const rules: string[] = [];
  if (schema.const !== undefined) rules.push(translate('api.rule.always', { value: JSON.stringify(schema.const) }));
  if (schema.enum)
    rules.push(translate('api.rule.oneOf', { values: schema.enum.map((one) => JSON.stringify(one)).join(', ') }));
  const most = maximum === MAX_ID ? undefined : maximum;
  if (minimum !== undefined && most !== undefined)
    rules.push(translate('api.rule.range', { from: numberText(minimum), to: numberText(most) }));
  else if (most !== undefined) rules.push(translate('api.rule.atMost', { most: numberText(most) }));
  if (minLength !== undefined && maxLength !== undefined)
    rules.push(translate('api.rule.length', { from: numberText(minLength), to: numberText(maxLength) }));
  else if (maxLength !== undefined) rules.push(translate('api.rule.longest', { most: numberText(maxLength) }));
  if (maxItems !== undefined) rules.push(translate('api.rule.items', { most: numberText(maxItems) }));
  if (pattern !== undefined) rules.push(translate('api.rule.pattern', { pattern }));
  if (schema.default === '') rules.push(translate('api.rule.empty'));
  else if (schema.default !== undefined && typeof schema.default !== 'object')
    rules.push(translate('api.rule.default', { value: JSON.stringify(schema.default) }));
  return rules;
};

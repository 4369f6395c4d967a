import { numberText } from '../../lang/locale.ts';
import { say } from '../../lang/translate.ts';
import { type Schema, shapeName } from './api-document.ts';

/** A type as text. `shape` is the named schema that appears in the text, if there is one. */
export interface TypeWords {
  readonly before: string;
  readonly shape: string | undefined;
  readonly after: string;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'api.type.text',
  integer: 'api.type.integer',
  number: 'api.type.number',
  boolean: 'api.type.boolean',
  object: 'api.type.object',
  null: 'api.type.nothing',
};

const plain = (words: string): TypeWords => ({ before: words, shape: undefined, after: '' });

/** The type of a schema as text. */
export const typeWords = (schema: Schema): TypeWords => {
  const shape = shapeName(schema);
  if (shape !== undefined) return { before: '', shape, after: '' };
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const nothing = choices.some(({ type }) => type === 'null');
    const rest = choices.filter(({ type }) => type !== 'null');
    const only = rest.length === 1 ? rest[0] : undefined;
    const words = only ? typeWords(only) : plain(rest.map((one) => flat(typeWords(one))).join(say('api.type.or')));
    return nothing ? { ...words, after: `${words.after}${say('api.type.orNothing')}` } : words;
  }
  const types = [schema.type ?? []].flat();
  const nothing = types.includes('null') && types.length > 1 ? say('api.type.orNothing') : '';
  if (types.includes('array') && schema.items) {
    const { before, shape: name, after } = typeWords(schema.items);
    return { before: `${say('api.type.listOf')}${before}`, shape: name, after: `${after}${nothing}` };
  }
  if (schema.prefixItems) return plain(`[${schema.prefixItems.map((one) => flat(typeWords(one))).join(', ')}]`);
  if (typeof schema.additionalProperties === 'object') {
    const { before, shape: name, after } = typeWords(schema.additionalProperties);
    return { before: `${say('api.type.mapOf')}${before}`, shape: name, after };
  }
  if (schema.format === 'date-time') return plain(`${say('api.type.moment')}${nothing}`);
  const words = types.filter((type) => type !== 'null').map((type) => say(WORDS[type] ?? 'api.type.any'));
  return plain(`${words.join(say('api.type.or')) || say('api.type.any')}${nothing}`);
};

const flat = ({ before, shape = '', after }: TypeWords): string => `${before}${shape}${after}`;

const MAX_ID = 2_147_483_647;

/** The constraints of a value in addition to its type: allowed values, range, length and default. */
export const ruleWords = (schema: Schema): string[] => {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern } = schema;
  const rules: string[] = [];
  if (schema.const !== undefined) rules.push(say('api.rule.always', { value: JSON.stringify(schema.const) }));
  if (schema.enum)
    rules.push(say('api.rule.oneOf', { values: schema.enum.map((one) => JSON.stringify(one)).join(', ') }));
  const most = maximum === MAX_ID ? undefined : maximum;
  if (minimum !== undefined && most !== undefined)
    rules.push(say('api.rule.range', { from: numberText(minimum), to: numberText(most) }));
  else if (most !== undefined) rules.push(say('api.rule.atMost', { most: numberText(most) }));
  if (minLength !== undefined && maxLength !== undefined)
    rules.push(say('api.rule.length', { from: numberText(minLength), to: numberText(maxLength) }));
  else if (maxLength !== undefined) rules.push(say('api.rule.longest', { most: numberText(maxLength) }));
  if (maxItems !== undefined) rules.push(say('api.rule.items', { most: numberText(maxItems) }));
  if (pattern !== undefined) rules.push(say('api.rule.pattern', { pattern }));
  if (schema.default === '') rules.push(say('api.rule.empty'));
  else if (schema.default !== undefined && typeof schema.default !== 'object')
    rules.push(say('api.rule.default', { value: JSON.stringify(schema.default) }));
  return rules;
};

import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import css from './api-docs.module.css';
import type { Schema } from './api-document.ts';
import { Prose } from './prose.tsx';
import { ruleTexts, typeText } from './schema-text.ts';

/** The address of an element on the page. */
export const shapeHash = (name: string): string => `shape-${name}`;

/** A type as text, with a link to the schema that it names. */
export const TypeName = ({ schema }: { schema: Schema }) => {
  const { before, shape, after } = typeText(schema);
  return (
    <>
      {before}
      {shape === undefined ? null : (
        <Link to="/api/docs" hash={shapeHash(shape)}>
          {shape}
        </Link>
      )}
      {after}
    </>
  );
};

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description: string | undefined;
}

/** The fields of a schema; empty for a choice of schemas. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description,
  }));

const Within = ({ schema, sent }: { schema: Schema; sent: boolean }) => {
  const inner = schema.properties ? schema : schema.items;
  return inner?.properties ? <Fields fields={fieldsOf(inner)} sent={sent} /> : null;
};

/** Names, types and rules of fields. Whether a field is required is shown for requests only. */
export const Fields = ({ fields, sent }: { fields: readonly Field[]; sent: boolean }) => {
  const { t } = useTranslation();
  return (
    <dl className={css.fields}>
      {fields.map(({ name, schema, required, description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            <span className={css.type}>
              <TypeName schema={schema} />
            </span>
            {sent && required ? <span className={css.required}>{t('api.required')}</span> : null}
          </dt>
          <dd>
            {description === undefined ? null : <Prose text={description} />}
            {ruleTexts(schema).map((rule) => (
              <span key={rule} className={css.rule}>
                {rule}
              </span>
            ))}
            <Within schema={schema} sent={sent} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

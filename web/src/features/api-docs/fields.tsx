import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import css from './api-docs.module.css';
import type { Schema } from './api-document.ts';
import { Prose } from './prose.tsx';
import { ruleWords, typeWords } from './schema-text.ts';

/** The address of a place on the page. */
export const shapeHash = (name: string): string => `shape-${name}`;

/** A type in words, with a way to the shape it names. */
export const TypeName = ({ schema }: { schema: Schema }) => {
  const { before, shape, after } = typeWords(schema);
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

/** The fields of a shape; of one that is a choice, none. */
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

/** Names, types and rules, one field after the other. Whether a field must be there is said of what is sent only. */
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
            {ruleWords(schema).map((rule) => (
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

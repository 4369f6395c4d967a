import { useTranslation } from 'react-i18next';
import css from './api-docs.module.css';
import type { ApiDocument, Schema } from './api-document.ts';
import { Fields, fieldsOf, shapeHash, TypeName } from './fields.tsx';
import { ruleTexts } from './schema-text.ts';

/** The code of an alternative without a name, and the names of its parameters. */
const Code = ({ properties = {} }: Schema) => {
  const params = Object.keys(properties.params?.properties ?? {});
  return (
    <>
      <code>{String(properties.code?.const)}</code>
      {params.length > 0 ? ` { ${params.join(', ')} }` : null}
    </>
  );
};

/** A schema of which a value has one. Each has a name or a code. */
const Alternative = ({ schema }: { schema: Schema }) => (
  <span className={css.rule}>{schema.$ref === undefined ? <Code {...schema} /> : <TypeName schema={schema} />}</span>
);

const keyOf = ({ $ref, properties }: Schema): string => $ref ?? String(properties?.code?.const);

const Shape = ({ name, schema }: { name: string; schema: Schema }) => {
  const fields = fieldsOf(schema);
  return (
    <section id={shapeHash(name)} className={css.shape}>
      <h3>{name}</h3>
      {fields.length > 0 ? <Fields fields={fields} sent={false} /> : null}
      {fields.length === 0 ? (
        <p>
          {schema.oneOf?.map((one) => (
            <Alternative key={keyOf(one)} schema={one} />
          ))}
          {ruleTexts(schema).join(' ')}
        </p>
      ) : null}
    </section>
  );
};

/** Every named schema that calls take or return. */
export const Shapes = ({ document }: { document: ApiDocument }) => {
  const { t } = useTranslation();
  return (
    <section id="shapes" className={css.group}>
      <h2>{t('api.shapes')}</h2>
      <p>{t('api.shapesText')}</p>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <Shape key={name} name={name} schema={schema} />
      ))}
    </section>
  );
};

import { useTranslation } from 'react-i18next';
import css from './api-docs.module.css';
import type { ApiDocument, Schema } from './api-document.ts';
import { Fields, fieldsOf, shapeHash, TypeName } from './fields.tsx';
import { ruleTexts } from './schema-text.ts';

const Shape = ({ name, schema }: { name: string; schema: Schema }) => {
  const fields = fieldsOf(schema);
  return (
    <section id={shapeHash(name)} className={css.shape}>
      <h3>{name}</h3>
      {fields.length > 0 ? <Fields fields={fields} sent={false} /> : null}
      {fields.length === 0 ? (
        <p>
          {schema.oneOf?.map((one) => (
            <span key={one.$ref} className={css.rule}>
              <TypeName schema={one} />
            </span>
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

import { useClipboard } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/basics/button.tsx';
import css from './api-docs.module.css';
import { type ApiCall, type ApiDocument, readShape } from './api-document.ts';
import { curlCommand } from './curl.ts';
import { Fields, fieldsOf, TypeName } from './fields.tsx';
import { Prose } from './prose.tsx';

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={css.part}>
    <h4>{title}</h4>
    {children}
  </section>
);

const Example = ({ command }: { command: string }) => {
  const { t } = useTranslation();
  const { copy, copied } = useClipboard({ timeout: 2000 });
  return (
    <div className={css.example}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command is scrolled by keyboard too */}
      <pre tabIndex={0}>
        <code>{command}</code>
      </pre>
      <Button variant="quiet" small icon={copied ? 'check' : 'copy'} onClick={() => copy(command)}>
        {copied ? t('api.copied') : t('api.copy')}
      </Button>
    </div>
  );
};

/** Everything about one call. */
export const CallDetails = ({ call, document }: { call: ApiCall; document: ApiDocument }) => {
  const { t } = useTranslation();
  const { body } = call;
  const address = new URL(document.servers[0]?.url ?? '', location.origin).href.replace(/\/$/, '');
  return (
    <div className={css.details}>
      <p className={css.allowed}>
        <span>
          <Prose text={call.allowed} />
        </span>
        <Link to="/api/docs" hash={call.name}>
          {call.name}
        </Link>
      </p>
      {call.parameters.length > 0 ? (
        <Part title={t('api.parameters')}>
          <Fields
            fields={call.parameters.map((one) => ({
              name: one.name,
              schema: one.schema,
              required: one.required === true,
              description: one.description,
            }))}
            sent
          />
        </Part>
      ) : null}
      {body ? (
        <Part title={t('api.body')}>
          <p>
            <TypeName schema={body.schema} />. {body.note}
          </p>
          <Fields fields={fieldsOf(readShape(document, body.schema))} sent />
        </Part>
      ) : null}
      <Part title={t('api.answer')}>
        <dl className={css.statuses}>
          {call.answers.map(({ status, note, schema }) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                <Prose text={note} /> {schema ? <TypeName schema={schema} /> : null}
              </dd>
            </div>
          ))}
        </dl>
      </Part>
      {call.errors.length > 0 ? (
        <Part title={t('api.errors')}>
          <dl className={css.statuses}>
            {call.errors.map(({ status, note }) => (
              <div key={status}>
                <dt>{status}</dt>
                <dd>
                  <Prose text={note} />
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      ) : null}
      <Part title={t('api.example')}>
        <Example command={curlCommand(call, address)} />
      </Part>
    </div>
  );
};

import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { FilterInput } from '../../ui/lists/filter-input.tsx';
import { PageHeader } from '../../ui/page/page.tsx';
import css from './api-docs.module.css';
import { type ApiDocument, type Group, readGroups, searchGroups } from './api-document.ts';
import { CallRow } from './call-row.tsx';
import { Prose } from './prose.tsx';
import { Shapes } from './shapes.tsx';

/** The OpenAPI document. It only changes when the server is updated. */
const apiDocumentQuery = () =>
  queryOptions({
    queryKey: ['api-document'],
    queryFn: async ({ signal }) => (await call('openApi', { signal })) as unknown as ApiDocument,
    staleTime: Number.POSITIVE_INFINITY,
  });

const groupHash = (name: string): string => `group-${name.toLowerCase().replaceAll(' ', '-')}`;

const Contents = ({ groups }: { groups: readonly Group[] }) => {
  const { t } = useTranslation();
  return (
    <nav className={css.contents} aria-label={t('api.contents')}>
      {groups.map(({ name, calls }) => (
        <Link key={name} to="/api/docs" hash={groupHash(name)}>
          {name}
          <small>{calls.length}</small>
        </Link>
      ))}
      <Link to="/api/docs" hash="shapes">
        {t('api.shapes')}
      </Link>
    </nav>
  );
};

/** The reference of all API calls: input, response and permission. */
export const ApiDocsPage = () => {
  const { t } = useTranslation();
  const { data: document } = useSuspenseQuery(apiDocumentQuery());
  const { hash } = useLocation();
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([hash]));
  const groups = useMemo(() => readGroups(document), [document]);
  const found = searchGroups(groups, search);

  useEffect(() => {
    if (hash === '') return;
    setOpened((before) => new Set([...before, hash]));
    globalThis.document.getElementById(hash)?.scrollIntoView();
  }, [hash]);

  const toggle = (name: string, open: boolean): void =>
    setOpened((before) => new Set(open ? [...before, name] : [...before].filter((one) => one !== name)));

  return (
    <div className={css.page}>
      <aside className={css.side} aria-label={t('api.find')}>
        <FilterInput label={t('api.search')} value={search} onChange={setSearch} />
        <Contents groups={found} />
      </aside>
      <main className={css.main}>
        <PageHeader title={t('api.title')}>
          <span className={css.version}>{document.info.version}</span>
          <a className={css.raw} href="api/openapi.json">
            {t('api.raw')}
          </a>
        </PageHeader>
        <p className={css.about}>
          <Prose text={document.info.description} />
        </p>
        <p className="sr" role="status">
          {t('api.found', { count: found.reduce((sum, { calls }) => sum + calls.length, 0) })}
        </p>
        {found.length === 0 ? <p className={css.none}>{t('api.none')}</p> : null}
        {found.map(({ name, description, calls }) => (
          <section key={name} id={groupHash(name)} className={css.group}>
            <h2>{name}</h2>
            <p>{description}</p>
            <div className={css.calls}>
              {calls.map((one) => (
                <CallRow
                  key={one.name}
                  call={one}
                  document={document}
                  open={opened.has(one.name)}
                  onToggle={(open) => toggle(one.name, open)}
                />
              ))}
            </div>
          </section>
        ))}
        {search === '' ? <Shapes document={document} /> : null}
      </main>
    </div>
  );
};

import type { AppName } from '@signalbox/contract';
import { createContext, useContext } from 'react';
import { ansiblePage } from './ansible/ansible-page.ts';
import type { PageApp } from './page-app.ts';

export type PageApps = Readonly<Record<string, PageApp>>;

/** Every app of the contract's table. */
export const PAGE_APPS: Readonly<Record<AppName, PageApp>> = { ansible: ansiblePage };

/** The apps of the page. Tests add others. */
export const PageAppsContext = createContext<PageApps>(PAGE_APPS);

export const usePageApps = (): PageApps => useContext(PageAppsContext);

/** An app by its name. A page that was loaded before an update of the server may not know it: then it is shown like Ansible. */
export const usePageApp = (name: string | undefined): PageApp => usePageApps()[name ?? ''] ?? ansiblePage;

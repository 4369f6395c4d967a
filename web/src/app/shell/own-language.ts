import type { Language } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { userQuery } from '../../api/queries.ts';
import { languageChoice, onLanguageChoice } from '../../lang/language.ts';

let told: string | undefined;

/**
 * Tells the server in which language alerts are to be written to whoever is signed in: the one that they choose here, and
 * where none was ever told, the one that they read.
 */
export const useOwnLanguage = (): void => {
  const client = useQueryClient();
  const { data: user } = useQuery(userQuery());
  const choice = useSyncExternalStore(onLanguageChoice, languageChoice);
  useEffect(() => {
    if (!user) return;
    const spoken = i18next.language as Language;
    // What another browser speaks is no choice: only a change here is, or that nothing is known yet.
    const key = `${user.id} ${choice}`;
    const isChosen = told !== undefined && told !== key && told.startsWith(`${user.id} `);
    told = key;
    if (user.language !== null && (!isChosen || user.language === spoken)) return;
    void call('updateUser', { params: { user_id: user.id }, body: { language: spoken } })
      .then(() => client.setQueryData(userQuery().queryKey, { ...user, language: spoken }))
      .catch(() => undefined);
  }, [user, choice, client]);
};

import type { Language } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { userQuery } from '../../api/queries.ts';
import { languageChoice, onLanguageChoice } from '../../lang/language.ts';

/**
 * Tells the server in which language alerts are to be written to whoever is signed in: the one that they choose here, and
 * where none was ever told, the one that they read.
 */
export const useOwnLanguage = (): void => {
  const client = useQueryClient();
  const { data: user } = useQuery(userQuery());
  const choice = useSyncExternalStore(onLanguageChoice, languageChoice);
  const before = useRef(choice);
  useEffect(() => {
    if (!user) return;
    // That this browser speaks another language than the last one is no choice: only a change is, or that none is known.
    const isChosen = before.current !== choice;
    before.current = choice;
    const language = i18next.language as Language;
    if (user.language !== null && (!isChosen || user.language === language)) return;
    void call('updateUser', { params: { user_id: user.id }, body: { language } })
      .then(() => client.setQueryData(userQuery().queryKey, { ...user, language }))
      .catch(() => undefined);
  }, [user, choice, client]);
};

import type { Language } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { userQuery } from '../../api/queries.ts';
import { languageChoice, onLanguageChoice } from '../../lang/language.ts';

/**
 * Stores the language of the user's alerts on the server: the language that the user chooses here or, if the server has
 * none stored, the language of the console.
 */
export const useOwnLanguage = (): void => {
  const client = useQueryClient();
  const { data: user } = useQuery(userQuery());
  const choice = useSyncExternalStore(onLanguageChoice, languageChoice);
  const before = useRef(choice);
  useEffect(() => {
    if (!user) return;
    // A different browser language is not a choice: only a change of language is stored, or the language when none is
    // known.
    const isChosen = before.current !== choice;
    before.current = choice;
    const language = i18next.language as Language;
    if (user.language !== null && (!isChosen || user.language === language)) return;
    void call('updateUser', { params: { user_id: user.id }, body: { language } })
      .then(() => client.setQueryData(userQuery().queryKey, { ...user, language }))
      .catch(() => undefined);
  }, [user, choice, client]);
};

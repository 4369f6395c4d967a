import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface CheckedForm {
  readonly errors: object;
  validate: () => unknown;
}

/** Validates a form with errors again when the language changes, so that the errors are shown in the new language. */
export const useTranslatedErrors = ({ errors, validate }: CheckedForm): void => {
  const { language } = useTranslation().i18n;
  const shown = useRef(language);
  useEffect(() => {
    if (shown.current === language) return;
    shown.current = language;
    if (Object.keys(errors).length > 0) validate();
  }, [language, errors, validate]);
};

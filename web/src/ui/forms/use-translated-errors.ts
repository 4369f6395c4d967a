import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface CheckedForm {
  readonly errors: object;
  validate: () => unknown;
}

/** Says what is wrong with a form in the new language when another one is chosen. */
export const useSpokenErrors = ({ errors, validate }: CheckedForm): void => {
  const { language } = useTranslation().i18n;
  const said = useRef(language);
  useEffect(() => {
    if (said.current === language) return;
    said.current = language;
    if (Object.keys(errors).length > 0) validate();
  }, [language, errors, validate]);
};

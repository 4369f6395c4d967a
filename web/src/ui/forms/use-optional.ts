import { useTranslation } from 'react-i18next';

/** Properties of a field that may stay empty: `field.module.css` adds the text to the label. */
export const useOptional = () => {
  const { t } = useTranslation();
  return { labelProps: { 'data-optional': t('newTask.optional') } };
};

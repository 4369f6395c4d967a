import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The input for the tags of a runner. */
export const RunnerTagsInput = (props: Pick<TagsInputProps, 'value' | 'onChange' | 'error'>) => {
  const { t } = useTranslation();
  return <TagsInput label={t('runners.tags')} description={t('runners.tagsHelp')} splitChars={[',', ' ']} {...props} />;
};

/** The errors of a refused request by the fields of the form. The server names the tag that it refuses. */
export const errorsOfTags = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [name.startsWith('tags.') ? 'tags' : name, message]),
  );

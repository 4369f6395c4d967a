import { TagsInput, type TagsInputProps } from '@mantine/core';

/** The input for runner tags: those of a runner, or those that something requires. */
export const RunnerTagsInput = (
  props: Pick<TagsInputProps, 'label' | 'description' | 'value' | 'onChange' | 'error' | 'disabled' | 'placeholder'>,
) => <TagsInput splitChars={[',', ' ']} {...props} placeholder={props.value?.length ? '' : props.placeholder} />;

/** The errors of a refused request by the fields of the form. The server names the tag that it refuses. */
export const errorsOfTags = (fields: Readonly<Record<string, string>>, list = 'tags'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [name.startsWith(`${list}.`) ? list : name, message]),
  );

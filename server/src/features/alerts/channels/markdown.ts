/** Escapes Markdown, so that output of a playbook cannot become a link, a mention or a picture. */
export const escapedMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&').replaceAll('@', '@\u200b');

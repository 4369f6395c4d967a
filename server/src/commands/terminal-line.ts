// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with ESC
const SEQUENCE = /\u001b(?:\[[0-9;:]*([@-~])|\[[^@-~]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;

/**
 * Makes a log line safe for a terminal. Of all control sequences in the output of hosts, only colours can remain.
 * @param colours whether colours are kept
 */
export const terminalLine = (line: string, colours: boolean): string => {
  const plain = line
    .replaceAll(SEQUENCE, (sequence, final: string | undefined) => (colours && final === 'm' ? sequence : ''))
    .replaceAll(CONTROL, '');
  return colours && plain.includes('\u001b') ? `${plain}\u001b[0m` : plain;
};

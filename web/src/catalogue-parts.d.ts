declare module '*.texts.js' {
  export const TEXTS: Readonly<Record<string, unknown>>;
}

declare module 'virtual:texts/*' {
  export const TEXTS: Readonly<Record<string, unknown>>;
}

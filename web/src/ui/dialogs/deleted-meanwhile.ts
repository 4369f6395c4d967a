import { createContext } from 'react';

/** Whether what the form inside changes was deleted meanwhile: it stays with what was typed, and says so. */
export const FormGone = createContext(false);

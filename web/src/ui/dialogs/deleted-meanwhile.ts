import { createContext } from 'react';

/** Whether the object in the form was deleted meanwhile. The form keeps the typed text and shows a notice. */
export const DeletedMeanwhile = createContext(false);

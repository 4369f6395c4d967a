import { type ComponentType, createContext } from 'react';

/** What a select can create: each is also the name of its icon. */
export type NewObjectKind = 'repository' | 'inventory' | 'environment' | 'key';

export interface NewObjectProps {
  onClose: () => void;
  onCreated: (id: number) => void;
}

export type NewObjectForms = Readonly<Partial<Record<NewObjectKind, ComponentType<NewObjectProps>>>>;

/** The forms of new objects, of those kinds that the user may create. */
export const NewObject = createContext<NewObjectForms>({});

/** Catalogue keys of the options that open the forms. */
export const NEW_OBJECT_LABELS = {
  repository: 'repositories.add',
  inventory: 'inventory.add',
  environment: 'environment.add',
  key: 'keys.add',
} as const satisfies Record<NewObjectKind, string>;

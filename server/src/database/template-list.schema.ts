import type { LabelColour } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';

export interface LabelTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  name: string;
  colour: LabelColour;
}

/** A label of a template. Both belong to the same project. */
export interface TemplateLabelTable {
  template_id: ColumnType<number, number, never>;
  label_id: ColumnType<number, number, never>;
}

/** A tab of the template list. */
export interface ViewTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  title: string;
  position: number;
  restricted: ColumnType<0 | 1, 0 | 1 | undefined, 0 | 1>;
}

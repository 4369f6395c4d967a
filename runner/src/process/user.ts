/** Another user of this machine, as which the programs of a run are executed. */
export interface ProcessUser {
  name: string;
  uid: number;
  gid: number;
  /** Absolute path of the home folder; null when there is none that is this user's own. */
  home: string | null;
}

/** The user of a run in its container. */
export interface ContainerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

const rows = (text: string): string[] => text.split('\n').filter((row) => row !== '');

const fieldsOf = (row: string): string[] => row.split(':');

/** A value that cannot break a row. */
const clean = (value: string): string => value.replace(/[:\n]/g, '_');

/** The users of an image with the user of the run, whom ssh and Ansible look up by id. */
export const passwdWith = (passwd: string, { name, uid, gid, home }: ContainerUser): string => {
  const others = rows(passwd).filter((row) => {
    const [otherName, , otherUid] = fieldsOf(row);
    return otherName !== name && otherUid !== String(uid);
  });
  return [`${clean(name)}:x:${uid}:${gid}::${clean(home)}:/bin/sh`, ...others, ''].join('\n');
};

/** The groups of an image with the group of the run. */
export const groupWith = (group: string, { name, gid }: ContainerUser): string => {
  const others = rows(group).filter((row) => {
    const [otherName, , otherGid] = fieldsOf(row);
    return otherName !== name && otherGid !== String(gid);
  });
  return [`${clean(name)}:x:${gid}:`, ...others, ''].join('\n');
};

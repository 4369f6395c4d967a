/**
 * How much of the track lies ahead, in steps: a playbook does not say how many will come, so that the usual time tells.
 * Nothing when it is not known or over.
 */
export const restOfTrack = (steps: number, passed: number | undefined, usual: number | undefined): number => {
  if (usual === undefined || passed === undefined || passed <= 0 || passed >= usual) return 0;
  return Math.min(steps * 9, (Math.max(1, steps) * (usual - passed)) / passed);
};

/**
 * Estimated length of the rest of the progress bar, in steps. A playbook does not announce its steps, so the estimate
 * uses the usual duration. 0 if that is unknown or exceeded.
 */
export const remainingSteps = (steps: number, passed: number | undefined, usual: number | undefined): number => {
  if (usual === undefined || passed === undefined || passed <= 0 || passed >= usual) return 0;
  return Math.min(steps * 9, (Math.max(1, steps) * (usual - passed)) / passed);
};

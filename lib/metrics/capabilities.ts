/**
 * What this release can do that the one before could not, and on which all running processes must agree before it is used.
 * Each process says it with its figures. Remove a name once no release without it can run beside ours any more.
 */
export const CAPABILITIES = ['slices', 'queue', 'campaigns', 'waitlist', 'lines'] as const;
export type Capability = (typeof CAPABILITIES)[number];

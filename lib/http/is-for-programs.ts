const FOR_PROGRAMS = /^\/(?:api|_next)(?:[/?]|$)/;

/** Whether an address, with a query or without, is no page's: interfaces and Next's own files. */
export const isForPrograms = (target: string): boolean => FOR_PROGRAMS.test(target);

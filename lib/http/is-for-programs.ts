const FOR_PROGRAMS = /^\/(?:api|_next)(?:[/?]|$)/;

/** Tells whether an address, with or without a query, belongs to no page: interfaces and Next's own files. */
export const isForPrograms = (target: string): boolean => FOR_PROGRAMS.test(target);

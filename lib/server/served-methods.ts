/** Every method that some interface serves; Next knows no others. */
export const SERVED_METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;

const SERVED = new Set<string>(SERVED_METHODS);

/** Says whether any interface serves a method; false for TRACE, PROPFIND and the like. */
export const isServedMethod = (method: string | undefined): boolean => SERVED.has(method ?? '');

/** Every method some interface serves; Next knows no others. */
export const SERVED_METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;

const SERVED = new Set<string>(SERVED_METHODS);

/** False for TRACE, PROPFIND and the like, which no interface serves. */
export const isServedMethod = (method: string | undefined): boolean => SERVED.has(method ?? '');

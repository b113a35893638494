/** Gives a request's headers by name, as `Headers` does; repeated ones joined. */
export type HeaderReader = Pick<Headers, 'get'>;

/** What the guards of an endpoint read of a request: one of Next's, or one that our server reads itself. */
export type RequestHead = { method: string; headers: HeaderReader };

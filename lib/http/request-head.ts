/** Gives a request's headers by name, as `Headers` does; repeated ones joined. */
export type HeaderReader = Pick<Headers, 'get'>;

/** The part of a request that an endpoint's guards read. It comes from Next, or from our own server. */
export type RequestHead = { method: string; headers: HeaderReader };

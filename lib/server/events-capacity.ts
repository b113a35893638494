import { fileLimit } from './file-limit';

/** How many streams one process may hold open; each costs a few KB, through node:http 16. */
const MAX_STREAMS = 20_000;
/** The other files are for purchases, which need a connection too: if they can't connect, nothing else matters. */
const SHARE_OF_FILES = 0.75;
/** A crowd may share one address (a company, a mobile network), but may have only a twentieth of MAX_STREAMS. */
export const MAX_STREAMS_PER_CLIENT = 1_000;

/** Returns how many event streams this process may hold: at most three quarters of the files it may open. */
export const streamCapacity = (): number => Math.min(MAX_STREAMS, Math.floor(fileLimit() * SHARE_OF_FILES));

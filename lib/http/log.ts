import pino from 'pino';

/** Structured log of this process; one line of JSON per entry on standard output. */
export const log = pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime });

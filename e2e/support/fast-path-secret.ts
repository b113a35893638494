import { createHash } from 'node:crypto';
import { setting } from './commands';

/** Returns the secret that sends a request to Next alone; derives it from the product's settings in its data directory. */
export const fastPathSecret = (): string =>
  createHash('sha256')
    .update(`lane:${setting('INTERNAL_SECRET').split(',')[0]}`)
    .digest('hex');

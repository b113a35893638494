import { createHash } from 'node:crypto';
import { setting } from './commands';

/** Names a request for Next alone; what the product was started with is in its data directory. */
export const fastPathSecret = (): string =>
  createHash('sha256')
    .update(`lane:${setting('INTERNAL_SECRET')}`)
    .digest('hex');

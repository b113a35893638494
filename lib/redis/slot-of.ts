import { Command } from 'ioredis';

/** Returns the slot of a cluster in which a key lies: 0 to 16,383. */
export const slotOf = (key: string): number => new Command('get', [key]).getSlot();

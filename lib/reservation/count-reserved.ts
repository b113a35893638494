import 'server-only';
import { shareBriefly } from '@/lib/cache/share-briefly';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { countInDatabase, countInRedis } from '@/lib/reservation/records/count-reserved';

/** How old the count may be. Caches may keep the sale's state for as long, too. */
const MAX_AGE_MS = 1_000;

const inRedis = shareBriefly(MAX_AGE_MS, countInRedis);
const inDatabase = shareBriefly(MAX_AGE_MS, countInDatabase);

/** Counts the reservations of a sale, as of at most a second ago, however many ask. @throws connection errors. */
export const countReserved = ({ saleId, strategy }: Pick<SaleInfo, 'saleId' | 'strategy'>): Promise<number> =>
  (STRATEGIES[strategy].stock === 'postgres' ? inDatabase : inRedis)(saleId);

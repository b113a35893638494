import 'server-only';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { within } from '@/lib/errors/within';
import { readSlice, type SliceStock } from '@/lib/stock/read-slice';
import { limitMs } from '@/lib/time-limits';

/** Reads all slices of a sale. Null for one that is not loaded, or whose server is away. */
export const readSlices = (stocks: readonly string[]): Promise<(SliceStock | null)[]> =>
  Promise.all(
    stocks.map((stockId) =>
      unlessOutage(within(limitMs('sliceRead'), `the slice ${stockId}`, readSlice(stockId)), null),
    ),
  );

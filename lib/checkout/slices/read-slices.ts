import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { within } from '@/lib/errors/within';
import { readSlice, type SliceStock } from '@/lib/stock/read-slice';

/** A server that is slower than this counts as away: buyers wait for the answer. Tests lengthen it. */
export const SLICE_PATIENCE = { ms: 300 };

/** Reads all slices of a sale. Null for one that is not loaded, or whose server is away. */
export const readSlices = (stocks: readonly string[]): Promise<(SliceStock | null)[]> =>
  Promise.all(
    stocks.map((stockId) =>
      within(SLICE_PATIENCE.ms, `the slice ${stockId}`, readSlice(stockId)).catch((error: unknown) => {
        if (!isOutage(error)) throw error;
        return null;
      }),
    ),
  );

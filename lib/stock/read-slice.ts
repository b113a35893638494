import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** The stock of a slice: for moving units, and for the views that show it. */
export type SliceStock = {
  epoch: number;
  total: number;
  available: number;
  held: number;
  sold: number;
  /** The number of the last parcel that came, of the last that left, and that one's units until it has ended. */
  taken: number;
  given: number;
  sent: number;
};

const FIELDS = ['epoch', 'total', 'available', 'held', 'sold', 'taken', 'given', 'sent'];

/** Reads a slice of a sale. @returns null if Redis does not hold it. @throws Error on nonsense, connection errors */
export async function readSlice(stockId: string): Promise<SliceStock | null> {
  const texts = await stockRedis().hmget(keys.sale(stockId), ...FIELDS);
  if (texts[0] === null) return null;
  const numbers = texts.map((text) => (text === null ? Number.NaN : Number(text)));
  if (!numbers.every(Number.isSafeInteger)) throw new Error(`${keys.sale(stockId)} is no slice`);
  const [epoch = 0, total = 0, available = 0, held = 0, sold = 0, taken = 0, given = 0, sent = 0] = numbers;
  return { epoch, total, available, held, sold, taken, given, sent };
}

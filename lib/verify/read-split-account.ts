import 'server-only';
import { db } from '@/lib/db/client';
import { readLedger } from '@/lib/sale/records/slice-ledger';
import { type LoadedSale, loadingsOf } from '@/lib/slice/loadings';
import { readSlice } from '@/lib/stock/read-slice';
import { type RedisAccount, readRedisAccount } from './read-redis-account';

/**
 * Reads like `readRedisAccount`, and adds up the slices if the sale is split. Units on their way to a slice count as
 * for sale. The slices are not read at one instant: a comparison has to look again.
 * @returns null if Redis does not hold the sale, or not each slice as Postgres knows it
 */
export async function readSaleInRedis(sale: LoadedSale): Promise<RedisAccount | null> {
  const stocks = loadingsOf(sale);
  if (stocks.length === 1) return readRedisAccount(sale.saleId);
  const accounts = await Promise.all(stocks.map(({ saleId }) => readRedisAccount(saleId)));
  const held = accounts.filter((account, at) => account?.epoch === stocks[at]?.epoch) as RedisAccount[];
  if (held.length < stocks.length) return null;
  const sum = (of: 'total' | 'available' | 'held' | 'sold' | 'retaken') =>
    held.reduce((units, one) => units + one[of], 0);
  const counts = held.map(({ accepted }) => accepted);
  const accepted = counts.includes(null)
    ? null
    : counts.reduce<number>((all, count) => all + (count ?? 0), 0);
  const moving = (await readArriving(sale)).reduce((units, one) => units + one, 0);
  return {
    epoch: sale.epoch,
    total: sum('total') + moving,
    available: sum('available') + moving,
    held: sum('held'),
    sold: sum('sold'),
    accepted,
    retaken: sum('retaken'),
  };
}

/**
 * Reads how many units are on their way to each slice: those that Postgres has moved there and the slice has not taken,
 * and those that left it and that Postgres has not moved.
 */
export async function readArriving(sale: LoadedSale): Promise<number[]> {
  const stocks = loadingsOf(sale);
  const [slices, { parcels }] = await Promise.all([
    Promise.all(stocks.map(({ saleId }) => readSlice(saleId).catch(() => null))),
    readLedger(db(), sale.saleId),
  ]);
  const moved = new Set(parcels.map(({ number }) => number));
  return slices.map((slice, at) => {
    if (!slice) return 0;
    const coming = parcels.filter(({ number, receiver }) => receiver === at && number > slice.taken);
    const back = moved.has(slice.given) ? 0 : slice.sent;
    return coming.reduce((units, parcel) => units + parcel.units, back);
  });
}

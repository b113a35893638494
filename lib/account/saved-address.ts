import 'server-only';
import { type Address, toAddress } from '@/lib/contract/shapes/address';
import { type Db, db } from '@/lib/db/client';

/** Returns the address that an account keeps for its next order; null: none, or one that this release can't read. */
export async function readSavedAddress(userId: string): Promise<Address | null> {
  const row = await db().savedAddress.findUnique({ where: { userId } });
  return toAddress(row?.address);
}

/** Keeps an address in an account, in place of the one before. */
export async function saveAddress(tx: Db, userId: string, kept: Address): Promise<void> {
  await tx.savedAddress.upsert({
    where: { userId },
    create: { userId, address: kept },
    update: { address: kept },
  });
}

/** Removes the address that an account keeps. Again changes nothing. */
export async function removeSavedAddress(tx: Db, userId: string): Promise<void> {
  await tx.savedAddress.deleteMany({ where: { userId } });
}

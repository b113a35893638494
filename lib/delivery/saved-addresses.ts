import 'server-only';
import { lockOwner } from '@/lib/account/lock-owner';
import type { CurrentUser } from '@/lib/account/types';
import { createOnce } from '@/lib/actor/create-once';
import { type Address, type SavedAddress, toAddress } from '@/lib/contract/shapes/address';
import { MAX_SAVED_ADDRESSES } from '@/lib/contract/words/delivery';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';

/** `signed_out`: the session ended in the meantime. `full`: the account keeps as many as it may. */
type AddResult = 'kept' | 'signed_out' | 'full' | 'made_otherwise';

/** Lists the addresses that an account keeps, the one used last first; leaves out what this release can't read. */
export async function listAddresses(userId: string): Promise<SavedAddress[]> {
  const rows = await db().savedAddress.findMany({
    where: { userId },
    orderBy: [{ usedAt: 'desc' }, { id: 'desc' }],
  });
  return rows.flatMap(({ id, address: json, usedAt }) => {
    const address = toAddress(json);
    return address ? [{ addressId: id, address, usedAt: usedAt.getTime() }] : [];
  });
}

/** Adds an address to an account, once for each request. @param address as `checkAddress` returned it */
export const addAddress = (user: CurrentUser, address: Address, requestId?: string): Promise<AddResult> =>
  transaction(async (tx) => {
    if (!(await lockOwner(tx, user))) return 'signed_out';
    const { userId } = user;
    const input = { requestId, address };
    const made = await createOnce(tx, user, 'addr', input, {
      insert: (id) => insert(tx, userId, id, address),
      find: (id) => tx.savedAddress.findFirst({ where: { id, userId } }),
    });
    if (made.status === 'not_made') return 'full';
    return made.status === 'made_otherwise' ? made.status : 'kept';
  });

/** Changes an address that an account keeps. Orders keep their copies. @param address as `checkAddress` returned it */
export const changeAddress = (
  user: CurrentUser,
  addressId: string,
  address: Address,
): Promise<'kept' | 'signed_out' | 'not_found'> =>
  transaction(async (tx) => {
    if (!(await lockOwner(tx, user))) return 'signed_out';
    const { count } = await tx.savedAddress.updateMany({
      where: { id: addressId, userId: user.userId },
      data: { address, usedAt: new Date() },
    });
    return count === 1 ? 'kept' : 'not_found';
  });

/** Removes an address that an account keeps. Orders keep their copies. @returns false: there is none */
export async function removeAddress(userId: string, addressId: string): Promise<boolean> {
  return (await db().savedAddress.deleteMany({ where: { id: addressId, userId } })).count === 1;
}

/**
 * Puts the address of an order first among those of its account, in a transaction that has locked the account: the form of
 * the next order begins with it.
 * @param isWanted whether to keep it if the account does not yet; not done where the account keeps as many as it may
 */
export async function noteUsed(tx: Db, userId: string, address: Address, isWanted: boolean): Promise<void> {
  const used = await tx.$executeRaw`
    UPDATE saved_addresses SET used_at = now() WHERE user_id = ${userId} AND address = ${JSON.stringify(address)}::jsonb`;
  if (used === 0 && isWanted) await insert(tx, userId, newId('addr'), address);
}

async function insert(tx: Db, userId: string, id: string, address: Address) {
  // The account is locked: nobody adds another one meanwhile.
  if ((await tx.savedAddress.count({ where: { userId } })) >= MAX_SAVED_ADDRESSES) return null;
  const data = { id, userId, address };
  const [row] = await tx.savedAddress.createManyAndReturn({ data, skipDuplicates: true });
  return row ?? null;
}

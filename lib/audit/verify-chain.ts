import 'server-only';
import type { ChainVerification } from '@/lib/contract/shapes/audit';
import { db } from '@/lib/db/client';
import { limitMs } from '@/lib/time-limits';
import { FIRST_HASH, hashEntry } from './hash-entry';

const BATCH_SIZE = 1_000;
/** Further faults are only counted. */
const MOST_NAMED = 5;

/**
 * Recomputes the audit log from its first entry: checks that each entry is as recorded, that none is missing and none
 * was added. Reads it in batches of 1,000, all in one snapshot. Its last hash, if kept elsewhere, would even show
 * that an owner of the database has rewritten the log from some entry on.
 */
export async function verifyChain(): Promise<ChainVerification> {
  const checkedAt = Date.now();
  return db().$transaction(
    async (tx) => {
      const head = await tx.auditHead.findFirst();
      const problems: string[] = [];
      let last = { id: 0n, hash: FIRST_HASH };
      let entries = 0;
      for (let size = BATCH_SIZE; size === BATCH_SIZE; ) {
        const batch = await tx.auditEntry.findMany({
          // The first entry may have any number, if someone inserted one there.
          where: entries === 0 ? {} : { id: { gt: last.id } },
          orderBy: { id: 'asc' },
          take: BATCH_SIZE,
        });
        for (const { hash, ...entry } of batch) {
          const next = last.id + 1n;
          if (head && (entry.id > head.id || entry.id < 1n)) problems.push(`entry ${entry.id} was put in`);
          else if (entry.id > next) problems.push(`${missing(next, entry.id - 1n)} missing`);
          else if (entry.previousHash !== last.hash) problems.push(`entry ${last.id} was replaced`);
          if (hashEntry(entry) !== hash) problems.push(`entry ${entry.id} was changed`);
          last = { id: entry.id, hash };
        }
        entries += batch.length;
        size = batch.length;
      }
      if (!head) problems.push('nothing says where it ends');
      else if (last.id < head.id) problems.push(`${missing(last.id + 1n, head.id)} missing`);
      else if (last.id === head.id && last.hash !== head.hash) problems.push(`entry ${last.id} was replaced`);
      const ok = problems.length === 0;
      const lastHash = last.id === 0n ? null : last.hash;
      return { ok, entries, detail: ok ? intact(last) : broken(problems), lastHash, checkedAt };
    },
    { isolationLevel: 'RepeatableRead', timeout: limitMs('wholeLog') },
  );
}

const missing = (from: bigint, to: bigint) =>
  from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;

const intact = ({ id, hash }: { id: bigint; hash: string }) =>
  id === 0n ? 'nothing was recorded yet' : `one chain of ${id}; the last entry has the hash ${hash}`;

function broken(problems: string[]): string {
  const more = problems.length - MOST_NAMED;
  return `${problems.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

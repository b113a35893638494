import type { Transaction } from './tables';

type Lock = { owner: Transaction | null; sharers: Set<Transaction> };

/** Locks by name that a transaction keeps until it ends: one owner, or any number of those who share it. */
export class AdvisoryLocks {
  private readonly locks = new Map<string, Lock>();

  /** Waits for all who have the lock. @throws 40P01 if two would wait for each other */
  async own(tx: Transaction, name: string): Promise<void> {
    const lock = this.lockOf(name);
    for (let other = this.other(lock, tx, true); other; other = this.other(lock, tx, true))
      await tx.wait(other);
    lock.owner = tx;
  }

  /** Waits for whoever owns the lock alone. @throws 40P01 if two would wait for each other */
  async share(tx: Transaction, name: string): Promise<void> {
    const lock = this.lockOf(name);
    for (let other = this.other(lock, tx, false); other; other = this.other(lock, tx, false))
      await tx.wait(other);
    lock.sharers.add(tx);
  }

  private lockOf(name: string): Lock {
    const lock = this.locks.get(name) ?? { owner: null, sharers: new Set() };
    this.locks.set(name, lock);
    return lock;
  }

  /** Returns a transaction that keeps `tx` waiting. */
  private other({ owner, sharers }: Lock, tx: Transaction, isAlone: boolean): Transaction | null {
    for (const sharer of sharers) if (sharer.ended) sharers.delete(sharer);
    if (owner && !owner.ended && owner !== tx) return owner;
    return (isAlone && [...sharers].find((sharer) => sharer !== tx)) || null;
  }
}

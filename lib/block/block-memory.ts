import type { BlockKind } from '@/lib/contract/words/block';
import { createNetworkMap } from './network-map';

/** The subject to look up; unknown values are left out or empty. */
export type Subject = {
  userId?: string;
  device?: string;
  /** Called only while some network is blocked. */
  address?: () => string | null;
};

/** Why a subject may not take part. */
export type Block = {
  kind: BlockKind;
  /** Epoch ms; null: until it is lifted. */
  expiresAt: number | null;
};

/** One change of the list. Times in epoch ms. */
export type BlockChange = {
  kind: BlockKind;
  value: string;
  expiresAt: number | null;
  isLifted: boolean;
};

export type BlockMemory = {
  readonly size: number;
  /** Returns false if there was no room for the change. */
  apply: (change: BlockChange) => boolean;
  find: (subject: Subject, nowMs: number) => Block | null;
  /** Removes expired blocks. At a million entries this takes some 20 ms. */
  sweep: (nowMs: number) => void;
};

const FOREVER = Number.POSITIVE_INFINITY;

/**
 * Makes a memory of the blocks in force, for a lookup at every purchase. Expiry needs no message: it is compared with
 * the clock.
 * @param maxEntries further ones are not stored; about 100 bytes each.
 */
export function createBlockMemory(maxEntries = 1_000_000): BlockMemory {
  const users = new Map<string, number>();
  const devices = new Map<string, number>();
  const networks = createNetworkMap();
  const byKind = { user: users, device: devices, ip: networks };
  const size = () => users.size + devices.size + networks.size;

  const find = ({ userId, address, device }: Subject, nowMs: number): Block | null => {
    const byUser = userId ? users.get(userId) : undefined;
    if (byUser !== undefined && byUser > nowMs) return found('user', byUser);
    const byDevice = device ? devices.get(device) : undefined;
    if (byDevice !== undefined && byDevice > nowMs) return found('device', byDevice);
    const from = networks.size > 0 ? address?.() : null;
    const byAddress = from ? networks.find(from, nowMs) : undefined;
    return byAddress === undefined ? null : found('ip', byAddress);
  };

  return {
    get size() {
      return size();
    },
    apply({ kind, value, expiresAt, isLifted }) {
      const entries = byKind[kind];
      // Delete first, then set: an extended block must find room even if the list is full.
      entries.delete(value);
      if (isLifted) return true;
      if (size() >= maxEntries) return false;
      entries.set(value, expiresAt ?? FOREVER);
      return true;
    },
    find,
    sweep(nowMs) {
      for (const entries of [users, devices])
        for (const [value, expiresAt] of entries) if (expiresAt <= nowMs) entries.delete(value);
      networks.sweep(nowMs);
    },
  };
}

function found(kind: BlockKind, expiresAt: number): Block {
  return { kind, expiresAt: expiresAt === FOREVER ? null : expiresAt };
}

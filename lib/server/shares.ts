import type { Turn } from './fair-queue';

export type ShareLimits = {
  all: number;
  ofClient: number;
};

type Shares = {
  /** Takes a share; `yours`: taken, and the caller has to give it back. */
  take: (client: string, amount?: number) => Exclude<Turn, 'left'>;
  give: (client: string, amount?: number) => void;
};

/** Counts what clients hold of a limited resource, such as connections or bytes. */
export function createShares({ all, ofClient }: ShareLimits): Shares {
  const byClient = new Map<string, number>();
  let held = 0;
  return {
    take(client, amount = 1) {
      const own = (byClient.get(client) ?? 0) + amount;
      if (own > ofClient) return 'crowded';
      if (held + amount > all) return 'full';
      byClient.set(client, own);
      held += amount;
      return 'yours';
    },
    give(client, amount = 1) {
      const left = (byClient.get(client) ?? 0) - amount;
      if (left > 0) byClient.set(client, left);
      else byClient.delete(client);
      held -= amount;
    },
  };
}

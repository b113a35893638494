import 'server-only';
import type { Db } from '@/lib/db/client';
import { env } from '@/lib/env';

/** Counts the other accounts that can be admin. Nobody signs in to a demo account outside the demo. */
export const countOtherAdmins = (from: Db, userId: string): Promise<number> =>
  from.user.count({
    where: {
      role: 'admin',
      bannedAt: null,
      id: { not: userId },
      ...(env().isDemo ? {} : { isDemo: false }),
    },
  });

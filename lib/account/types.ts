import type { Locale } from '@/i18n/routing';
import type { Role } from '@/lib/contract/words/roles';

export type CurrentUser = {
  userId: string;
  email: string;
  /** Of the mails. */
  locale: Locale;
  name: string;
  role: Role;
  level: number;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms; null: nobody has shown yet that mail reaches them there. */
  emailVerifiedAt: number | null;
  /** The session that asks, and when it ends at the latest, epoch ms. */
  session: { id: string; expiresAt: number };
};

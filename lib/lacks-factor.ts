import 'server-only';
import { isStaff, type Role } from '@/lib/contract/words/roles';
import { env } from '@/lib/env';

/** Says whether a user is staff without the second factor that this shop requires of them. */
export const lacksFactor = ({ role, hasSecondFactor }: { role: Role; hasSecondFactor: boolean }): boolean =>
  env().isStaffFactorRequired && isStaff(role) && !hasSecondFactor;

import type { Factors } from '@/lib/contract/shapes/factor';

/** The password is hashed slowly. */
export const WITHIN_MS = 20_000;

export type FactorChange = {
  says: 'factorAdded' | 'passkeyAdded' | 'codesRenewed' | 'appRemoved' | 'passkeyRemoved' | 'factorRemoved';
  /** New recovery codes, shown once. */
  codes?: readonly string[];
};

export interface FactorActionProps {
  /** The address of the account, for the browser's list of passwords. */
  email: string;
  factors: Factors;
  onDone: (done: FactorChange) => void;
  onCancel: () => void;
}

/** Says whether signing in by the password takes a second step. */
export const hasAnyFactor = ({ totp, passkeys }: Factors): boolean => totp !== null || passkeys.length > 0;

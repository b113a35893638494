export const ROLES = ['shopper', 'merchant', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Roles that may use the desk. Merchants see only their own; operators and admins see all. */
export const DESK_ROLES: readonly Role[] = ['merchant', 'operator', 'admin'];

export type CurrentUser = {
  userId: string;
  email: string;
  name: string;
  role: Role;
  level: number;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms; null: nobody has shown yet that mail reaches them there. */
  emailVerifiedAt: number | null;
};

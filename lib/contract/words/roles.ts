export const ROLES = ['shopper', 'merchant', 'support', 'auditor', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Those who work in the admin area. */
export const STAFF_ROLES = ['merchant', 'support', 'auditor', 'operator', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export const isStaff = (role: Role): role is StaffRole => role !== 'shopper';

/**
 * Who may do what. Merchants see and change only what is theirs; support and auditors see everybody's and change nothing.
 */
const ADMITTED = {
  /** Whatever a signed-in person may do for themselves. */
  user: ROLES,
  /** Look in the admin area. */
  seeAdmin: STAFF_ROLES,
  /** Change sales, products and orders. */
  manageSales: ['merchant', 'operator', 'admin'],
  /** Why somebody did not get a piece. */
  trace: STAFF_ROLES,
  /** Look at blocks, risk rules, alerts and queues of the whole shop. */
  seeShop: ['auditor', 'operator', 'admin'],
  /** Change them. */
  operator: ['operator', 'admin'],
  seeAudit: ['auditor', 'operator', 'admin'],
  manageUsers: ['admin'],
} satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof ADMITTED;

export const may = (role: Role, permission: Permission): boolean =>
  (ADMITTED[permission] as readonly Role[]).includes(role);

export const ROLES = ['shopper', 'merchant', 'support', 'auditor', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that work in the admin area. */
export const STAFF_ROLES = ['merchant', 'support', 'auditor', 'operator', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export const isStaff = (role: Role): role is StaffRole => role !== 'shopper';

/**
 * Which roles have which permission. Merchants see and change only what belongs to shops of which they are members, and
 * there what their role allows (shop.ts); support and auditors see everybody's. Auditors change nothing; support helps
 * people with their accounts and mails, and changes nothing else.
 */
const ADMITTED = {
  /** Everything that signed-in users may do for themselves. */
  user: ROLES,
  /** See the admin area. */
  seeAdmin: STAFF_ROLES,
  /** Change sales, products and orders. */
  manageSales: ['merchant', 'operator', 'admin'],
  /** See why a shopper did not get a unit. */
  trace: STAFF_ROLES,
  /** See a person: account, sessions, orders, refusals, notices. */
  seePeople: ['support', 'auditor', 'operator', 'admin'],
  /** End a shopper's sessions, and send mails again. */
  helpPeople: ['support', 'operator', 'admin'],
  /** See blocks, risk rules, alerts and queues of the whole shop. */
  seeShop: ['auditor', 'operator', 'admin'],
  /** Change blocks, risk rules, alerts and queues. */
  operator: ['operator', 'admin'],
  seeAudit: ['auditor', 'operator', 'admin'],
  manageUsers: ['admin'],
  /** Change what belongs to the whole installation, such as its own pages. */
  manageSite: ['admin'],
  /** Change the members of a shop; merchants those of shops they own. */
  manageShop: ['merchant', 'admin'],
} satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof ADMITTED;

export const may = (role: Role, permission: Permission): boolean =>
  (ADMITTED[permission] as readonly Role[]).includes(role);

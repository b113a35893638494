export const ROLES = ['shopper', 'merchant', 'support', 'auditor', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that work in the admin area. */
export const STAFF_ROLES = ['merchant', 'support', 'auditor', 'operator', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export const isStaff = (role: Role): role is StaffRole => role !== 'shopper';

/**
 * Which roles have which permission. Merchants see and change only their shops' data; support and auditors see
 * everybody's. Auditors change nothing, and support nothing of sales and orders.
 */
const ADMITTED = {
  /** Everything that signed-in users may do for themselves. */
  user: ROLES,
  /** See the admin area. */
  seeAdmin: STAFF_ROLES,
  /** Change sales, products and orders. */
  manageSales: ['merchant', 'operator', 'admin'],
  /** Change the name and the members of a shop. */
  manageShop: ['merchant', 'admin'],
  /** See why a shopper did not get a unit. */
  trace: STAFF_ROLES,
  /** See blocks, risk rules, alerts and queues of the whole shop. */
  seeShop: ['auditor', 'operator', 'admin'],
  /** Change blocks, risk rules, alerts and queues. */
  operator: ['operator', 'admin'],
  seeAudit: ['auditor', 'operator', 'admin'],
  /** See a person's account, orders and refusals; end shoppers' sessions, and send mails again. */
  helpPeople: ['support', 'admin'],
  manageUsers: ['admin'],
  /** See what is missing before the shop goes live, and try it out. */
  setUp: ['admin'],
} satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof ADMITTED;

export const may = (role: Role, permission: Permission): boolean =>
  (ADMITTED[permission] as readonly Role[]).includes(role);

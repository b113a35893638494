import type { Role } from '@/lib/contract/words/roles';

/** Public, so accounts with it are made in demo mode only. */
export const DEMO_PASSWORD = 'demo-password';

export const DEMO_ACCOUNTS: readonly { email: string; name: string; role: Role }[] = [
  ...[1, 2, 3, 4, 5].map((n) => ({
    email: `shopper${n}@example.com`,
    name: `Shopper ${n}`,
    role: 'shopper' as const,
  })),
  { email: 'merchant@example.com', name: 'Demo Merchant', role: 'merchant' },
  { email: 'support@example.com', name: 'Demo Support', role: 'support' },
  { email: 'auditor@example.com', name: 'Demo Auditor', role: 'auditor' },
  { email: 'admin@example.com', name: 'Demo Admin', role: 'admin' },
];

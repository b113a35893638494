import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { admitFromLine, type NotAdmitted } from '@/lib/line/admit-from-line';
import { findLine } from '@/lib/line/records/find-line';

/** The part of an entry that differs between the ways to admit people. */
type Way = {
  /** Tells whether tokens are given at this time at all. @throws connection errors */
  isOpen?: (sale: SaleInfo) => Promise<boolean>;
  /** Takes the shopper's turn, which stands for the challenge. @throws connection errors */
  admit?: (saleId: string, userId: string) => Promise<{ status: 'admitted'; until: number } | NotAdmitted>;
};

/** The ways to admit people, as entries know them. A new way is a line here. */
export const WAYS: Readonly<Record<SaleAdmission, Way>> = {
  first_come: {},
  waiting_room: { admit: admitFromLine },
  // No token buys there. Once all who were drawn wait for units, it takes a place behind them.
  draw: { isOpen: async ({ saleId }) => (await findLine(saleId))?.isEnlisted ?? false },
};

import type { PlainSaleFields } from '@/lib/contract/shapes/sale-fields';
import type { SaleNumber } from '@/lib/contract/words/sale';

/** The fields of a sale that the form holds as the contract has them. Numbers, money and moments are typed as text. */
export type HeldFields = Omit<PlainSaleFields, SaleNumber | 'priceMinor' | 'listPriceMinor' | 'totalStock'>;

/** Says in which step the form asks for a field, and what it holds at first. */
type HeldField<V> = { step: 'what' | 'price' | 'who'; initial: V };

const FIELDS: { [F in keyof HeldFields]: HeldField<HeldFields[F]> } = {
  title: { step: 'what', initial: '' },
  titles: { step: 'what', initial: {} },
  currency: { step: 'price', initial: 'USD' },
  provider: { step: 'price', initial: 'usual' },
  admission: { step: 'who', initial: 'first_come' },
  waitlist: { step: 'who', initial: false },
  drawWeights: { step: 'who', initial: 'equal' },
  onePlacePerDevice: { step: 'who', initial: false },
  requireVerifiedEmail: { step: 'who', initial: false },
  challenge: { step: 'who', initial: 'none' },
  challengeAlternative: { step: 'who', initial: 'puzzle' },
  strategy: { step: 'who', initial: 'script' },
  onStockOutage: { step: 'who', initial: 'closed' },
};
const NAMES = Object.keys(FIELDS) as (keyof HeldFields)[];

const forEachField = (make: (name: keyof HeldFields) => unknown): HeldFields =>
  Object.fromEntries(NAMES.map((name) => [name, make(name)])) as HeldFields;

export const INITIAL_FIELDS: HeldFields = forEachField((name) => FIELDS[name].initial);

export const fieldsOfStep = (step: string): (keyof HeldFields)[] =>
  NAMES.filter((name) => FIELDS[name].step === step);

/** Picks these fields from an object that has more. */
export const heldFieldsOf = (from: HeldFields): HeldFields => forEachField((name) => from[name]);

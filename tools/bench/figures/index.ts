import type { Figure } from '../bench-context';
import { measureEntry } from './entry';
import { measureExpiry } from './expiry';
import { measureFsync } from './fsync';
import { measureGrowth } from './growth';
import { measureJourney } from './journey';
import { measureLimits } from './limits';
import { measureOrders } from './orders';
import { measurePage } from './page';
import { measurePurchase } from './purchase';
import { measureScale } from './scale';
import { measureScript } from './script';
import { measureSession } from './session';
import { measureSignIn } from './sign-in';
import { measureSoldOut } from './sold-out';
import { measureSteady } from './steady';
import { measureStrategies } from './strategies';
import { measureVariants } from './variants';
import { measureWhole } from './whole';

/** The figures of the bench, in the order they are measured. */
export const FIGURES = {
  script: measureScript,
  purchase: measurePurchase,
  entry: measureEntry,
  session: measureSession,
  'sign-in': measureSignIn,
  limits: measureLimits,
  variants: measureVariants,
  strategies: measureStrategies,
  'sold-out': measureSoldOut,
  page: measurePage,
  fsync: measureFsync,
  growth: measureGrowth,
  orders: measureOrders,
  journey: measureJourney,
  whole: measureWhole,
  steady: measureSteady,
  expiry: measureExpiry,
  scale: measureScale,
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof FIGURES;

export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

import type { LevelRules } from '@/lib/contract/shapes/level';
import { MAX_LEVEL } from '@/lib/contract/words/level';
import { wholeNumber } from './whole-number';

/** Rules as they are typed. */
type Typed<Rule> = Record<keyof Rule, string>;
export type PointsRow = Typed<LevelRules['byPoints'][number]>;
export type MembershipRow = Typed<LevelRules['byMembership'][number]>;
interface Rows {
  byPoints: PointsRow[];
  byMembership: MembershipRow[];
}

const FIRST_POINTS = 100;
const YEAR_DAYS = 365;

export const toRows = ({ byPoints, byMembership }: LevelRules): Rows => ({
  byPoints: byPoints.map(({ level, minPoints }) => ({ level: String(level), minPoints: String(minPoints) })),
  byMembership: byMembership.map(({ productId, level, days }) => ({
    productId,
    level: String(level),
    days: String(days),
  })),
});

/** The lowest level comes first, in whatever order they were typed. */
export const toRules = ({ byPoints, byMembership }: Rows): LevelRules => ({
  byPoints: byPoints
    .map(({ level, minPoints }) => ({ level: wholeNumber(level), minPoints: wholeNumber(minPoints) }))
    .sort((one, other) => one.level - other.level),
  byMembership: byMembership.map(({ productId, level, days }) => ({
    productId,
    level: wholeNumber(level),
    days: wholeNumber(days),
  })),
});

/** Returns what is wrong with the rules, or null. */
export function wrongRules(rows: Rows): 'number' | 'order' | 'product' | null {
  const { byPoints, byMembership } = toRules(rows);
  const numbers = [
    ...byPoints.flatMap(({ level, minPoints }) => [level <= MAX_LEVEL && level, minPoints]),
    ...byMembership.flatMap(({ level, days }) => [level <= MAX_LEVEL && level, days]),
  ];
  if (!numbers.every((number) => number && number > 0)) return 'number';
  const isRising = byPoints.every(({ level, minPoints }, at) => {
    const below = byPoints[at - 1];
    return !below || (level > below.level && minPoints > below.minPoints);
  });
  if (!isRising) return 'order';
  const products = byMembership.map(({ productId }) => productId);
  return products.includes('') || new Set(products).size < products.length ? 'product' : null;
}

export function nextPoints(last?: PointsRow): PointsRow {
  if (!last) return { level: '1', minPoints: String(FIRST_POINTS) };
  const [level, minPoints] = [wholeNumber(last.level), wholeNumber(last.minPoints)];
  return { level: String(level + 1 || 1), minPoints: String(minPoints * 2 || FIRST_POINTS) };
}

export const nextMembership = (): MembershipRow => ({ productId: '', level: '1', days: String(YEAR_DAYS) });

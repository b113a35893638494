import { lineUp } from '@/tools/harness/line-up';
import type { EarlierRun } from './earlier-run';
import type { Environment, FigureReport } from './types';

/**
 * `within the noise`: the change is not larger than the rounds of one contestant lie apart in one of the runs. `unknown`: one of the
 * runs measured it once, so nobody can tell a change from noise.
 */
type Judgement = 'better' | 'worse' | 'within the noise' | 'unknown' | 'nothing to compare';

type Difference = {
  figure: string;
  before: string;
  after: string;
  /** Share of the earlier value; null where there is none. */
  change: number | null;
  /** How far the rounds of one contestant lie apart, as a share of their median; null if there was one round. */
  spreadBefore: number | null;
  spreadAfter: number | null;
  judgement: Judgement;
};

const HEADINGS = ['figure', 'before', 'after', 'change', 'rounds apart before', 'after', 'judgement'];
const NONE = '–';

/** Compares every row of this run with the row of the same name in an earlier one. */
export function compareRuns(before: EarlierRun['reports'], after: readonly FigureReport[]): Difference[] {
  const earlier = new Map(before.flatMap(({ rows }) => rows).map((row) => [row.figure, row]));
  return after.flatMap(({ rows }) => rows).map((row) => differenceOf(earlier.get(row.figure), row));
}

type Measured = EarlierRun['reports'][number]['rows'][number];

function differenceOf(before: Measured | undefined, after: FigureReport['rows'][number]): Difference {
  const texts = { figure: after.figure, before: before?.result ?? NONE, after: after.result };
  const [old, now] = [before?.compared, after.compared];
  const [spreadBefore, spreadAfter] = [old?.spread ?? null, now?.spread ?? null];
  const known = { ...texts, spreadBefore, spreadAfter };
  if (!old || !now || old.value === 0) return { ...known, change: null, judgement: 'nothing to compare' };
  const change = now.value / old.value - 1;
  if (spreadBefore === null || spreadAfter === null) return { ...known, change, judgement: 'unknown' };
  if (Math.abs(change) <= Math.max(spreadBefore, spreadAfter))
    return { ...known, change, judgement: 'within the noise' };
  return { ...known, change, judgement: change > 0 === (now.better === 'more') ? 'better' : 'worse' };
}

/** Renders the comparison for a terminal. Says so where the two runs were not made alike. */
export function renderComparison(
  before: EarlierRun,
  after: { environment: Environment; reports: readonly FigureReport[] },
): string {
  const percent = (share: number | null, sign = '') =>
    share === null ? NONE : `${share > 0 ? sign : ''}${(share * 100).toFixed(1)} %`;
  const differences = compareRuns(before.reports, after.reports);
  const rows = differences.map(({ figure, change, spreadBefore, spreadAfter, judgement, ...texts }) => [
    figure,
    texts.before,
    texts.after,
    percent(change, '+'),
    percent(spreadBefore),
    percent(spreadAfter),
    judgement,
  ]);
  const [was, is] = [howMade(before.environment), howMade(after.environment)];
  return [
    lineUp([HEADINGS, ...rows]),
    '',
    `before: ${before.environment.date}, ${was}`,
    `after: ${after.environment.date}, ${is}`,
    ...(was === is
      ? []
      : ['The runs were not made alike, so a change may come from that instead of the product.']),
  ].join('\n');
}

const howMade = ({ cpu, cores, mode, rounds, roundSeconds }: EarlierRun['environment']): string =>
  `${mode} run, ${rounds} rounds of ${roundSeconds} s, ${cpu}, ${cores} cores`;

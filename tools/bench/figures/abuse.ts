import { alternate } from '../alternate';
import type { BenchContext } from '../bench-context';
import { type Generator, startGenerator } from '../load/generator';
import type { LoadResult, Source } from '../load/types';
import { startReference } from '../reference/start-reference';
import { msText, whole } from '../report/format';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport, Row } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { median } from '../stats';

const TARGET = 1.2;
const STOCK = 1_000_000_000;
const PER_SECOND = 1_000;
const STRANGERS_PER_SECOND = 200;
const CONNECTIONS = 64;
/** A few bad moments of the machine decide the slowest hundredth of a round, so it needs more rounds than a mean. */
const ROUND_FACTOR = 2;
/** Strangers begin this long before the measured requests and go on after them. */
const LEAD_MS = 300;

/**
 * Measures how long a purchase and a state take while a stranger asks for made-up addresses, compared with no
 * stranger. Open loop: a request that has to wait counts its wait, also when a process stalls.
 */
export async function measureAbuse(context: BenchContext): Promise<FigureReport> {
  const { product, seconds } = context;
  const sale = await openBenchSale(STOCK);
  const strangers = startGenerator(context.root, product.env);
  // The body is as large as one of our pages.
  const elsewhere = await startReference(context.root, 'constant-server.ts', ['404', 'x'.repeat(15_000)]);
  const count = Math.ceil(PER_SECOND * seconds);
  const state = `GET /api/sales/${sale.saleId}/state HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const what = {
    purchase: (): [Source, number] => {
      const fromUser = context.takeUsers(count);
      return [{ kind: 'purchases', targets: [sale], fromUser, count, isCyclic: false }, 202];
    },
    state: (): [Source, number] => [{ kind: 'repeat', request: state }, 200],
  };
  const ports = { '': null, ' among strangers': product.fastPath.port, ' beside strangers': elsewhere.port };
  const contestant = (name: keyof typeof what, where: keyof typeof ports) => ({
    name: `${name}${where}`,
    run: async () => {
      const [source, expected] = what[name]();
      const port = ports[where];
      const asking = port === null ? undefined : askAround(strangers, port, seconds);
      const result = await ask(context, source, count);
      expectAll(result, (status) => status === expected);
      if (asking) expectAll(await asking, (status) => status === 200 || status === 404);
      return result.latencyMs.p99;
    },
  });
  try {
    const samples = await alternate(ROUND_FACTOR * context.rounds, [
      ...(Object.keys(ports) as (keyof typeof ports)[]).flatMap((where) => [
        contestant('purchase', where),
        contestant('state', where),
      ]),
    ]);
    const row = (name: keyof typeof what): Row => {
      const beside = samples[`${name} beside strangers`] ?? [];
      const ratio = ratioRow({
        figure: `${name} latency p99 at ${whole(PER_SECOND)}/s, ${STRANGERS_PER_SECOND} made-up addresses/s : none`,
        ours: samples[`${name} among strangers`] ?? [],
        theirs: samples[name] ?? [],
        target: { atMost: TARGET },
        text: msText,
      });
      return { ...ratio, measured: `${ratio.measured}; asking elsewhere ${msText(median(beside))}` };
    };
    return {
      name: 'abuse',
      samples,
      rows: [row('purchase'), row('state')],
      notes: [
        'asking elsewhere: the same strangers ask another process on this machine, which answers a constant. What that costs is the machine’s, not ours.',
        'seventeen kinds of addresses, in turns: orders, payments and pages of the admin area that are nobody’s, in both languages, queries, names of nothing, files and interfaces that are not there.',
      ],
    };
  } finally {
    strangers.stop();
    elsewhere.stop();
    await dropBenchSale(sale);
  }
}

function ask(
  { generator, product, seconds }: BenchContext,
  source: Source,
  count: number,
): Promise<LoadResult> {
  const startAtMs = Date.now() + LEAD_MS;
  const window = { startAtMs, windowMs: seconds * 1_000, count };
  return generator.run({
    loop: 'open',
    port: product.fastPath.port,
    connections: CONNECTIONS,
    source,
    ...window,
  });
}

function askAround(strangers: Generator, port: number, seconds: number): Promise<LoadResult> {
  const windowMs = seconds * 1_000 + 2 * LEAD_MS;
  const count = Math.ceil((STRANGERS_PER_SECOND * windowMs) / 1_000);
  const source = { kind: 'strangers', count } as const;
  return strangers.run({
    loop: 'open',
    port,
    connections: CONNECTIONS,
    source,
    startAtMs: 0,
    windowMs,
    count,
  });
}

/**
 * Checks a run's answers.
 * @throws when any answer was not the expected one: then the run did not measure what it claims.
 */
function expectAll({ answers, sent }: LoadResult, isExpected: (status: number) => boolean): void {
  const good = Object.entries(answers).filter(([status]) => isExpected(Number(status)));
  const total = good.reduce((sum, [, count]) => sum + count, 0);
  if (total < sent) throw new Error(`${sent} were sent, answered: ${JSON.stringify(answers)}`);
}

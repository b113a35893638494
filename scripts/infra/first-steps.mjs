/**
 * Returns what a newcomer can try, as lines to print. Asks the running product, so that the links work.
 * @param {{ origin: string, publicUrl: string, isDemo: boolean, isOpen: boolean, nextLines: string[], logs: string
 *   }} options `nextLines`: what its owner has to do next
 * @returns {Promise<string[]>}
 */
export async function firstSteps({ origin, publicUrl, isDemo, isOpen, nextLines, logs }) {
  const stop = `  Stop with Ctrl-C. Logs are in ${logs}`;
  if (!isDemo) return [...nextLines.map((line) => `  ${line}`), stop];
  const sales = await fetch(`${origin}/api/sales`, { signal: AbortSignal.timeout(5_000) })
    .then((response) => response.json())
    .then((body) => body.sales ?? [])
    .catch(() => []);
  const live = sales.find((sale) => sale.status === 'live');
  const next = sales
    .filter((sale) => sale.status === 'scheduled')
    .sort((a, b) => a.startsAt - b.startsAt)
    .at(0);
  const page = (sale) => `${publicUrl}/sales/${sale.slug}`;
  return [
    ...(live ? [`  Buy something now:     ${page(live)}`] : []),
    ...(next ? [`  Watch a countdown:     ${page(next)}`] : []),
    '  Sign in as a shopper:  shopper1@example.com … shopper5@example.com, password demo-password',
    `  Run a sale yourself:   ${publicUrl}/admin as merchant@example.com, password demo-password`,
    ...(isOpen
      ? []
      : ['  Only this machine can reach it; SECKILL_HOST=0.0.0.0 npm start opens it to the network.']),
    stop,
  ];
}

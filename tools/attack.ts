/**
 * `npm run attack [-- --scenario NAME] [--seed S] [--json FILE] [--short]`: scripted attackers and simulated people at sales
 * of a product of its own. Exit code 0: every target was met; 1: one was missed; 2: called wrongly.
 */
import { join } from 'node:path';
import { AttackUsageError, parseAttackArguments } from '@/tools/attack/arguments';
import { runAttack } from '@/tools/attack/run-attack';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  const reports = await runAttack(
    join(import.meta.dirname, '..'),
    parseAttackArguments(process.argv.slice(2)),
  );
  const missed = reports.flatMap(({ targets }) => targets).filter(({ isMet }) => !isMet);
  for (const { what, target, measured } of missed)
    console.log(`MISSED ${what}: ${measured} (target ${target})`);
  process.exit(missed.length > 0 ? 1 : 0);
} catch (error) {
  const isUsage = error instanceof AttackUsageError;
  console.error(isUsage || !(error instanceof Error) ? String(error) : error.stack);
  process.exit(isUsage ? 2 : 1);
}

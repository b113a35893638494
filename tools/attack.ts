/**
 * `npm run attack [-- --scenario NAME] [--seed S] [--json FILE] [--short]`: runs scripted attackers and simulated
 * people against sales of a product of its own. Exit code 0: every target was met; 1: one was missed; 2: called
 * wrongly.
 */
import { join } from 'node:path';
import { parseAttackArguments } from '@/tools/attack/arguments';
import { runAttack } from '@/tools/attack/run-attack';
import { runTool } from '@/tools/harness/run-tool';

await runTool(async (args) => {
  const reports = await runAttack(join(import.meta.dirname, '..'), parseAttackArguments(args));
  const missed = reports.flatMap(({ targets }) => targets).filter(({ isMet }) => !isMet);
  for (const { what, target, measured } of missed) {
    console.log(`MISSED ${what}: ${measured} (target ${target})`);
  }
  return missed.length > 0 ? 1 : 0;
});

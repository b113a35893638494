type Contestant = { name: string; run: (round: number) => Promise<number> };

/**
 * Runs one unmeasured round of each contestant, then `rounds` measured ones in turns, in reverse order every second
 * time. So slow changes (heat, neighbours, growing files) affect all contestants alike.
 * @param rounds at least 3. @returns the figure of every round, by name.
 */
export async function alternate(
  rounds: number,
  contestants: readonly Contestant[],
): Promise<Record<string, number[]>> {
  if (!(Number.isInteger(rounds) && rounds >= 3)) throw new RangeError(`at least 3 rounds, not ${rounds}`);
  const samples: Record<string, number[]> = {};
  for (const { name, run } of contestants) {
    samples[name] = [];
    await run(0);
  }
  for (let round = 1; round <= rounds; round += 1) {
    const inTurn = round % 2 === 1 ? contestants : [...contestants].reverse();
    for (const { name, run } of inTurn) samples[name]?.push(await run(round));
  }
  return samples;
}

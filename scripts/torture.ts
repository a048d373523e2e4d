import { openTorture } from '../tests/support/torture.ts';
import { prepare } from './prepare.ts';
import { runMain } from './setup-failure.ts';

const POINTS = 100;

/** `npm run torture -- [first seed] [points]`: kills runs at seeded moments, and a line for each; the numbers go on from any seed. */
await runMain(async () => {
  await prepare();
  const [first = 1, points = POINTS] = process.argv.slice(2).map(Number);
  await using torture = await openTorture();
  const bad: number[] = [];
  for (let seed = first; seed < first + points; seed++) {
    const { kills, faults } = await torture.point(seed);
    if (faults.length > 0) bad.push(seed);
    console.log(
      `seed ${seed}: ${faults.length === 0 ? 'as if nothing had been' : 'FAULT'}; killed at ${kills.join('; ')}`,
    );
    for (const fault of faults) console.log(`  ${fault}`);
  }
  console.log(
    `${points - bad.length} of ${points} seeds ended as if nothing had been${bad.length === 0 ? '' : `; not: ${bad.join(' ')}`}`,
  );
  return bad.length === 0 ? 0 : 1;
});

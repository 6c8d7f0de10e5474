import { line } from './figure.ts';
import { FULL, PARTS, SHORT } from './rows.ts';

/* Prints what simulations say of the intervals, tests and gates, the full version or `--short`; exits 1 outside a band. */

const replicates = process.argv.includes('--short') ? SHORT : FULL;
for (const [part, rows] of Object.entries(PARTS)) {
  console.log(`\n${part} (share +- Monte Carlo standard error, ${replicates} replicates)`);
  for (const row of rows(replicates)) {
    console.log(line(row));
    if (!row.ok) process.exitCode = 1;
  }
}

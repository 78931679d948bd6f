import { parseArgs } from 'node:util';
import { abandonAll } from './installation.ts';
import { parts, run, type Part } from './run.ts';

const { values } = parseArgs({
  options: {
    /** Minutes of each part. A part runs at least once. */
    minutes: { type: 'string', default: '10' },
    /** Comma-separated. */
    parts: { type: 'string', default: Object.keys(parts).join(',') },
    /** Repeats the random choices of an earlier run. */
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});

const chosen = values.parts.split(',');
const unknown = chosen.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`--parts ${unknown.join(',')} is unknown; use ${Object.keys(parts).join(',')}`);
  process.exit(2);
}
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes >= 0) || !Number.isSafeInteger(seed)) {
  console.error('--minutes must be a number of minutes, and --seed an integer');
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    abandonAll();
    process.exit(130);
  });
const passed = await run({ chosen: chosen as Part[], minutes, seed, isShort: false });
process.exit(passed ? 0 : 1);

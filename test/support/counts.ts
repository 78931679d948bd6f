// node test/support/counts.ts REPORT …: prints the summed counts of Vitest's JSON reports on one line.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/** The summed counts of reports. A file that failed to load counts as one failed test, and so does a run without a report. */
export function counts(...files: readonly string[]): string {
  const all = files.map(countsOf);
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((outcome) =>
    all.reduce((sum, one) => sum + one[outcome], 0),
  );
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function countsOf(file: string): { passed: number; failed: number; skipped: number } {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  if (text === '') return { passed: 0, failed: 1, skipped: 0 };
  const found = report.parse(JSON.parse(text));
  const broken = found.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0).length;
  return {
    passed: found.numPassedTests,
    failed: found.numFailedTests + broken,
    skipped: found.numPendingTests + found.numTodoTests,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(counts(...process.argv.slice(2)));

// node test/support/counts.ts REPORT: prints the counts of Vitest's JSON report on one line.
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

/** The counts of a report. A file that failed to load counts as one failed test, and so does a run without a report. */
export function counts(file: string): string {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  if (text === '') return '0 passed, 1 failed, 0 skipped';
  const found = report.parse(JSON.parse(text));
  const broken = found.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0).length;
  const skipped = found.numPendingTests + found.numTodoTests;
  return `${found.numPassedTests} passed, ${found.numFailedTests + broken} failed, ${skipped} skipped`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(counts(process.argv[2] ?? ''));

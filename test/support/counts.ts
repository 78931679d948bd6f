// node test/support/counts.ts REPORT …: prints which tests failed in Vitest's JSON reports, and last the summed counts on one
// line.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
type Report = z.infer<typeof report>;

/** Lines of failed tests, each with the start of its message, and the summed counts. A file that failed to load counts as one
 *  failed test, and so does a run without a report. */
export function summary(...files: readonly string[]): string {
  const reports = files.map(read);
  const sum = (count: (one: Report) => number) => reports.reduce((total, one) => total + (one ? count(one) : 0), 0);
  const failed = sum((one) => one.numFailedTests + one.testResults.filter(broken).length);
  const missing = reports.filter((one) => one === undefined).length;
  return [
    ...reports.flatMap((one) => (one ? failures(one) : 'FAILED a run, which left no report')),
    `${sum((one) => one.numPassedTests)} passed, ${failed + missing} failed, ${sum((one) => one.numPendingTests + one.numTodoTests)} skipped`,
  ].join('\n');
}

function read(file: string): Report | undefined {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return text === '' ? undefined : report.parse(JSON.parse(text));
}

const broken = ({ status, assertionResults }: Report['testResults'][number]) =>
  status === 'failed' && assertionResults.length === 0;

function failures(one: Report): string[] {
  return one.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const file = path.relative(process.cwd(), name);
      const lines = failed.map(({ fullName, failureMessages }) => `${fullName}: ${(failureMessages ?? []).join(' ')}`);
      // A failed hook of a file fails the file, not its tests.
      return (lines.length > 0 ? lines : [message]).map(
        (text) => `FAILED ${file}: ${text.replace(/\s+/g, ' ').slice(0, 400)}`,
      );
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(summary(...process.argv.slice(2)));

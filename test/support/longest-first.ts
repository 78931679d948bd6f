import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take much longer than their size suggests, the longest first. */
const long = [
  'test/torture/short.test.ts',
  'test/tenancy/matrix.test.ts',
  'test/ingest/citus.test.ts',
  'test/surfaces/pages.test.ts',
  'test/surfaces/openapi/requests.property.test.ts',
  'test/analysis/recommendations/sums.property.test.ts',
  'test/tenancy/isolation.property.test.ts',
  'test/analysis/anomalies/run.test.ts',
  'test/actions/reports/generate.test.ts',
  'test/actions/reports/download.test.ts',
  'test/tenancy/passkeys/browser.test.ts',
  'test/analysis/budgets/year.test.ts',
  // The first one makes the demo's database. The others need none, so that no worker waits for it.
  'test/console/costs.test.ts',
  'test/console/clouds.test.ts',
  'test/console/accounts.test.ts',
  'test/console/security.test.ts',
  'test/console/sign-in.test.ts',
];

/** Starts the longest files first, so that all workers finish at about the same time. Without durations of an earlier
 *  run, as in a fresh checkout, Vitest sorts only by file size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted
      .map((file) => ({ file, rank: this.#rankOf(file) }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ file }) => file);
  }

  #rankOf({ moduleId }: TestSpecification): number {
    const rank = long.indexOf(path.relative(this.ctx.config.root, moduleId));
    return rank < 0 ? long.length : rank;
  }
}

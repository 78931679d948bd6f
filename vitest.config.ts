import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Tests that add types or fields to the schema, which a process can build only once, and from which they cannot be removed. */
const withSchemasOfTheirOwn = [
  'test/graph/long-lists.test.ts',
  'test/surfaces/{hostile,limits,schema}.test.ts',
  'test/surfaces/graphql/requests.test.ts',
  'test/surfaces/openapi/document.test.ts',
  'test/surfaces/rest/{input,representations,routing}.test.ts',
];

/** Tests that `npm run test:fast` excludes: with browsers, child servers or loaders, property tests, and the slowest files. */
const slow = [
  'test/{bench,demo,ingest,judges,torture}/**',
  'test/actions/reports/**',
  'test/mcp/questions/**',
  'test/surfaces/openapi/**',
  '**/*.property.test.ts',
  'test/actions/{alerts/rules,notifications/deliver,schedules/run}.test.ts',
  'test/analysis/{evaluation,anomalies/run,budgets/year,recommendations/evaluation/run,recommendations/detectors/all}.test.ts',
  'test/analysis/forecast/{accuracy,forecast,month}.test.ts',
  'test/docs/commands.test.ts',
  'test/engine/{limits,stores}.test.ts',
  'test/facts/costs/{breakdown,graphql,run,scope,shared-sample}.test.ts',
  'test/facts/coverage/{answers,hours,run}.test.ts',
  'test/facts/inventory/{list,refresh}.test.ts',
  'test/graph/relations.test.ts',
  'test/jobs/worker.test.ts',
  'test/kit/database/{embedded,server}.test.ts',
  'test/mcp/{http,inspector,multi-tenant,reports,stdio}.test.ts',
  'test/providers/{azure/export,storage/blob-store,storage/s3-store}.test.ts',
  'test/surfaces/pages.test.ts',
  'test/tenancy/{limits/redis-counters,matrix,relations/statements}.test.ts',
  'test/tenancy/passkeys/{authenticate,browser}.test.ts',
];
// oxlint-disable-next-line node/no-process-env -- the script of npm that sets it cannot name a list of files
const isFast = process.env['TEST_FAST'] === '1';

/** Tests that drive a browser: their workers share a browser and servers, which stop when the workers do. */
const inBrowser = ['test/console/*.test.ts'];

// Vite would resolve the "module" build of graphql for our code, but Node the "main" build for packages, and the two do not mix.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };

const settings = {
  setupFiles: ['test/support/each-file.ts'],
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** Tests of the console without a browser, on the production builds of its packages: React's development build takes twice as
 *  long. */
const components = {
  ...settings,
  name: 'components',
  include: ['test/console/components/*.test.ts'],
  setupFiles: [],
  env: { NODE_ENV: 'production' },
  environment: './test/console/components/environment.ts',
  isolate: false,
};

const inChromium = {
  ...settings,
  name: 'console',
  include: inBrowser,
  isolate: false,
  expect: { poll: { timeout: 10_000 } },
};

/** Each file imports its own copy of the server. */
const alone = { ...settings, name: 'alone', include: withSchemasOfTheirOwn };

export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        test: {
          ...settings,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...withSchemasOfTheirOwn, ...inBrowser, ...components.include, ...(isFast ? slow : [])],
          // A worker imports the server once, not for each file: that took a fifth of the time.
          isolate: false,
        },
      },
      ...(isFast
        ? []
        : [
            { resolve, test: inChromium },
            { resolve, oxc: { jsx: { development: false } }, test: components },
            { resolve, test: alone },
          ]),
    ],
  },
});

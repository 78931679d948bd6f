import { defineConfig } from 'vitest/config';

/** Tests that add types or fields to the schema, which a process can build but once and nobody can take from it again. */
const withSchemasOfTheirOwn = [
  'test/surfaces/{hostile,limits,schema}.test.ts',
  'test/surfaces/graphql/requests.test.ts',
  'test/surfaces/openapi/document.test.ts',
  'test/surfaces/rest/{input,representations,routing}.test.ts',
];

/** Tests that drive a browser: their workers share a browser and servers, which end with them. */
const inBrowser = ['test/console/*.test.ts'];

// Vite would take graphql's "module" build for us while Node gives packages its "main" build, and two do not mix.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };

const settings = {
  setupFiles: ['test/support/each-file.ts'],
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres.ts'],
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          ...settings,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...withSchemasOfTheirOwn, ...inBrowser],
          // A worker imports the server once, not for each file: that took a fifth of the time.
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...settings,
          name: 'console',
          include: inBrowser,
          isolate: false,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      { resolve, test: { ...settings, name: 'alone', include: withSchemasOfTheirOwn } },
    ],
  },
});
